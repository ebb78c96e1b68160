// SPDX-License-Identifier: MIT
// Loops of mask bits: packing bytes, and compacting elements. Plain data, as in table.h.
#pragma once

#include <cstdint>

namespace arr::host {

// Bits belong to n elements from bits[0] on; bits after the last are 0. Loops by item size have the index
// log2 of the size: 1, 2, 4, 8, 16 bytes.
struct MaskLoops {
  // Packs n bytes, of which nonzero ones are true. Returns the number of set bits.
  int64_t (*pack)(int64_t n, const void* flags, uint64_t* bits) = nullptr;
  // Compacts the selected values. Returns their number. Writes up to compact_slack bytes past them.
  int64_t (*compress[5])(int64_t n, const uint64_t* bits, const void* values, void* to) = {};
  // to[i] = the next value, for each selected i. Reads up to compact_slack bytes past the values.
  void (*expand[5])(int64_t n, const uint64_t* bits, const void* values, void* to) = {};
  // The indices of the selected elements, counted from `first` or from 0. Returns their number. Writes up to
  // compact_slack bytes past them.
  int64_t (*indices)(int64_t n, const uint64_t* bits, int64_t first, int64_t* to) = nullptr;
  int64_t (*short_indices)(int64_t n, const uint64_t* bits, uint32_t* to) = nullptr;
  // Splits x = base + indices[i] into x / extent, stored in indices[i], and x % extent, stored in to[i *
  // step]; base < extent, and indices[i] < 4096.
  void (*coordinate)(int64_t n, uint32_t* indices, int64_t base, int64_t extent, int64_t step,
                     int64_t* to) = nullptr;
};
// Returns the loops of the level in use.
const MaskLoops& mask_loops();

}  // namespace arr::host
