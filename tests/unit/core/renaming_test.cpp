// SPDX-License-Identifier: MIT
// Errors of a step under the names that the caller knows.
#include "base/renaming.h"

#include <gtest/gtest.h>

namespace arr {
namespace {

std::string renamed(const char* text, Renames names) {
  try {
    renaming(names, [&] { fail(ARR_E_SHAPE, text); });
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), ARR_E_SHAPE);
    return e.text();
  }
  return "nothing";
}

TEST(Renaming, FindsTheArgument) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"argument x: 3", "x"},      {"argument x[2]: 3", "x"}, {"argument x is NULL", "x"}, {"argument", ""},
      {"arguments a, b: got", ""}, {"the argument x: 3", ""}, {"argument x", ""},          {"", ""}};
  for (const auto& [text, name] : rows) EXPECT_EQ(argument_of(text), name) << text;
  EXPECT_EQ(without_argument("argument x[2]: 3: 4"), "3: 4");
  EXPECT_EQ(without_argument("3: 4"), "3: 4");
}

TEST(Renaming, SaysTheCallersName) {
  EXPECT_EQ(renamed("argument x: 3", {{"x", "p"}}), "argument p: 3");
  EXPECT_EQ(renamed("argument xy: 3", {{"x", "p"}}), "argument xy: 3");
  EXPECT_EQ(renamed("argument x[1]: 3", {{"x", "p"}}), "argument p[1]: 3");
  EXPECT_EQ(renamed("argument x[1]: 3", {{"x[0]", "p"}, {"x[1]", "q"}, {"x", "r"}}), "argument q: 3");
  EXPECT_EQ(renamed("argument z: 3", {{"x", "x"}, {any_argument, "p"}}), "argument p: 3");
  EXPECT_EQ(renamed("argument x: 3", {{"x", "x"}, {any_argument, "p"}}), "argument x: 3");
  EXPECT_EQ(renamed("argument scale: 3", {{any_argument, "parameters", true}}),
            "argument parameters: scale: 3");
  EXPECT_EQ(renamed("3 is too many", {{any_argument, "p"}}), "3 is too many");
  EXPECT_EQ(renaming({{"x", "p"}}, [] { return 7; }), 7);
}

TEST(Renaming, InnerNamesFirst) {
  EXPECT_THROW(renaming({{"p", "q"}},
                        [] {
                          renaming({{"x", "p"}}, [] { fail(ARR_E_DTYPE, "argument x: 3"); });
                        }),
               Error);
  try {
    renaming({{"p", "q"}}, [] { renaming({{"x", "p"}}, [] { fail(ARR_E_DTYPE, "argument x: 3"); }); });
  } catch (const Error& e) {
    EXPECT_EQ(e.text(), "argument q: 3");
  }
}

}  // namespace
}  // namespace arr
