// SPDX-License-Identifier: MIT
// Philox4x32-10 as Random123 has it, with all four words of the counter: streams leave the upper two 0.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "math/host_math.h"
//
#include "math/scalar.h"
//
#include "math/libm.h"
//
#include "math/math.h"
//
#include "math/lookup.h"

namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "math/random.h"
#pragma GCC diagnostic pop

struct Known {
  uint64_t low, high, key;
  std::array<uint32_t, 4> words;
};

// The three of its kat_vectors: zeros, ones, digits of pi.
constexpr Known known[] = {
    {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {~0ULL, ~0ULL, ~0ULL, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {0x85a308d3243f6a88,
     0x0370734413198a2e,
     0x299f31d0a4093822,
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

TEST(Philox, AnswersOfRandom123) {
  for (const Known& k : known) {
    const arr_words got = arr_philox(k.low, k.high, k.key);
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(got.w[i], k.words.at(i)) << "word " << i << " of key " << k.key;
  }
}

}  // namespace
