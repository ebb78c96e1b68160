// SPDX-License-Identifier: MIT
// The loops of mask bits: packed from bytes, and elements compacted by them. Plain data, as in
// table.h.
#pragma once

#include <cstdint>

namespace arr::host {

// Bits are those of n elements from bits[0] on; the bits after the last are 0. Loops by item size have the
// index log2 of the size: 1, 2, 4, 8, 16 bytes.
struct MaskLoops {
  // The bits of n bytes, of which any but 0 is true; returns how many are.
  int64_t (*pack)(int64_t n, const void* flags, uint64_t* bits) = nullptr;
  // The selected values one after the other; returns their number. Writes up to compact_slack bytes past
  // them.
  int64_t (*compress[5])(int64_t n, const uint64_t* bits, const void* values, void* to) = {};
  // to[i] = the next value for each selected i. Reads up to compact_slack bytes past the values.
  void (*expand[5])(int64_t n, const uint64_t* bits, const void* values, void* to) = {};
  // The indices of the selected elements from `first` on, and without it; returns how many they are. Write up
  // to compact_slack bytes past them.
  int64_t (*indices)(int64_t n, const uint64_t* bits, int64_t first, int64_t* to) = nullptr;
  int64_t (*short_indices)(int64_t n, const uint64_t* bits, uint32_t* to) = nullptr;
  // x = base + indices[i] as x / extent to indices[i] and x % extent to to[i * step]; base < extent, and
  // indices[i] < 4096.
  void (*coordinate)(int64_t n, uint32_t* indices, int64_t base, int64_t extent, int64_t step,
                     int64_t* to) = nullptr;
};
// Returns the loops of the level in use.
const MaskLoops& mask_loops();

}  // namespace arr::host
