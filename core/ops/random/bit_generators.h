// SPDX-License-Identifier: MIT
// The states of bit generators: where one starts, and where it is after any number of steps.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace arr {

enum class BitGenerator : int32_t { philox4x32, pcg64, threefry2x32, mrg32k3a, xorwow };
constexpr int32_t bit_generator_count = 5;

// A place in a generator's stream of words of 32 bits. The words are those of its start: a key, or what the
// state was in front of block 0; a block has four.
struct BitState {
  BitGenerator kind = BitGenerator::philox4x32;
  std::array<uint64_t, 4> words{};
  uint64_t block = 0;

  friend bool operator==(const BitState&, const BitState&) = default;
};

// The start that follows from a seed, as SeedSequence of NumPy makes its words; PCG64's is that of NumPy.
BitState seeded_state(BitGenerator kind, std::span<const uint32_t> entropy, std::span<const uint32_t> path);
// True if the words can be some generator's of the kind.
bool is_possible(const BitState& state);
// The state that follows after `jumps` (not negative) of the kind's long distances: arr_generator_jumped in
// random.h.
BitState jumped_state(const BitState& state, int64_t jumps);
// Of a generator whose numbers follow one from the other: the table of core/math/bit_generators.h for so many
// blocks from the place on.
std::vector<uint64_t> states_from(const BitState& state, int64_t blocks);

}  // namespace arr
