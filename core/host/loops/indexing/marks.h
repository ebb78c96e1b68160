// SPDX-License-Identifier: MIT
// The loops of marks, bits of conditions: packed from bytes, and elements picked by them. Plain data, as in
// table.h.
#pragma once

#include <cstdint>

namespace arr::host {

// Bits are those of n elements from bits[0] on; the bits after the last are 0. Loops by item size have the
// index log2 of the size: 1, 2, 4, 8, 16 bytes.
struct MarkLoops {
  // The bits of n bytes, of which any but 0 is true; returns how many are.
  int64_t (*pack)(int64_t n, const void* flags, uint64_t* bits) = nullptr;
  // The marked values one after the other; returns their number. Writes up to marks_slack bytes past them.
  int64_t (*compress[5])(int64_t n, const uint64_t* bits, const void* values, void* to) = {};
  // to[i] = the next value for each marked i. Reads up to marks_slack bytes past the values.
  void (*expand[5])(int64_t n, const uint64_t* bits, const void* values, void* to) = {};
  // The numbers of the marked elements from `first` on, and without it; returns how many they are. Write up
  // to marks_slack bytes past them.
  int64_t (*places)(int64_t n, const uint64_t* bits, int64_t first, int64_t* to) = nullptr;
  int64_t (*short_places)(int64_t n, const uint64_t* bits, uint32_t* to) = nullptr;
  // x = base + places[i] as x / extent to places[i] and x % extent to to[i * step]; base < extent, and
  // places[i] < 4096.
  void (*coordinate)(int64_t n, uint32_t* places, int64_t base, int64_t extent, int64_t step,
                     int64_t* to) = nullptr;
};
// Returns the loops of the level in use.
const MarkLoops& mark_loops();

}  // namespace arr::host
