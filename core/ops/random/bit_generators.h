// SPDX-License-Identifier: MIT
// The states of bit generators: initial states, and states after any number of steps.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace arr {

enum class BitGenerator : int32_t { philox4x32, pcg64, threefry2x32, mrg32k3a, xorwow };
constexpr int32_t bit_generator_count = 5;

// A position in a generator's stream of 32-bit words. `words` describe the stream: a key, or the state before
// block 0. A block has four numbers.
struct BitState {
  BitGenerator kind = BitGenerator::philox4x32;
  std::array<uint64_t, 4> words{};
  uint64_t block = 0;

  friend bool operator==(const BitState&, const BitState&) = default;
};

// The state that follows from a seed; words are derived as by NumPy's SeedSequence, and PCG64's state is
// NumPy's.
BitState seeded_state(BitGenerator kind, std::span<const uint32_t> entropy, std::span<const uint32_t> path);
// True if the words can be the state of a generator of the kind.
bool is_possible(const BitState& state);
// The state after `jumps` >= 0 long jumps of the kind: arr_generator_jumped in random.h.
BitState jumped_state(const BitState& state, int64_t jumps);
// For a sequential generator: the table of core/math/bit_generators.h for that many blocks from the position
// on.
std::vector<uint64_t> states_from(const BitState& state, int64_t blocks);

}  // namespace arr
