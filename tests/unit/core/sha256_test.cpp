// SPDX-License-Identifier: MIT
// The digests that name and check the entries of caches.
#include "base/sha256.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace arr::test {
namespace {

// FIPS 180-4's examples, as a whole and in pieces.
TEST(Sha256, StandardVectors) {
  const std::pair<std::string, const char*> vectors[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1000000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
  for (const auto& [text, digest] : vectors) {
    for (const size_t piece : {size_t{1}, size_t{7}, size_t{64}, size_t{100}, size_t{1000000}}) {
      Sha256 hash;
      for (size_t at = 0; at < text.size(); at += piece) hash.add(std::string_view(text).substr(at, piece));
      EXPECT_EQ(hex(hash.finish()), digest) << piece;
    }
  }
  Sha256 a, b;
  a.add_field("ab"), a.add_field("c");
  b.add_field("a"), b.add_field("bc");
  EXPECT_NE(hex(a.finish()), hex(b.finish()));
}

}  // namespace
}  // namespace arr::test
