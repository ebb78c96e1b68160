// SPDX-License-Identifier: MIT
// Characters of UTF-8, and texts that are none.
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace arr {
namespace {

TEST(Utf8, CharactersAndWhatIsNone) {
  const std::pair<std::string_view, size_t> rows[] = {
      {"", 0},         {"a", 1},        {"\xc3\xa9", 2},     {"\xe2\x82\xac", 3},     {"\xf0\x9f\x98\x80", 4},
      {"\x80", 0},     {"\xc3", 0},     {"\xc3(", 0},        {"\xc0\x80", 0},         {"\xe0\x9f\xbf", 0},
      {"\xe2\x82", 0}, {"\xff", 0},     {"\xed\xa0\x80", 0}, {"\xf4\x90\x80\x80", 0}, {"\xf0\x8f\xbf\xbf", 0},
      {"\xf5", 0},     {"\xe2(\xac", 0}};
  for (const auto& [text, n] : rows) EXPECT_EQ(character_bytes(text), n) << as_utf8(text);
  EXPECT_EQ(first_character("\xc3\xa9t\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(first_character("\xe9t"), "\xe9");
  EXPECT_EQ(first_character(""), "");
}

TEST(Utf8, CutsBetweenCharacters) {
  const std::string_view text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
  const size_t left[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (size_t max_bytes = 0; max_bytes < std::size(left); ++max_bytes)
    EXPECT_EQ(cut(text, max_bytes).size(), left[max_bytes]) << max_bytes;
}

TEST(Utf8, BytesThatAreNoneAreShown) {
  EXPECT_EQ(as_utf8("caf\xe9, \xc3\xa9"), "caf\\xe9, \xc3\xa9");
  EXPECT_EQ(as_utf8("\xff\xc3"), "\\xff\\xc3");
  for (std::string_view c : {"\n", "\x7f", "\x1b", "\xc2\x85", "\xe2\x80\xa8"}) EXPECT_TRUE(is_control(c));
  for (std::string_view c : {" ", "~", "\xc2\xa0", "\xc3\xa9", "\xe2\x82\xac"}) EXPECT_FALSE(is_control(c));
}

}  // namespace
}  // namespace arr
