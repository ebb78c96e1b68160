// SPDX-License-Identifier: MIT
// The loops of sorting: elements as keys that sort as unsigned integers, and sorts of
// these. Plain data, as in table.h.
#pragma once

#include <bit>
#include <cstdint>

#include "array/dtype.h"

namespace arr::host {

// True if some elements are a nan with other bits than the nan of keys, or -0.0: keys do not distinguish one
// nan from another, nor -0.0 from 0.0.
struct KeyFlags {
  bool nan = false, minus_zero = false;
};

// The number of bits of the indices of a row of n >= 2 elements.
constexpr int index_bits_of(int64_t n) {
  return static_cast<int>(std::bit_width(static_cast<uint64_t>(n - 1)));
}

struct SortingLoops {
  // Keys of every dtype except complex ones, by its number: n elements as keys of the same size. Descending:
  // the largest element has the smallest key; the key of nan is the largest in both directions. keys may be
  // x.
  KeyFlags (*keys[dtype_limit])(int64_t n, const void* x, bool descending, void* keys) = {};
  // The elements of keys; x may be keys.
  void (*elements[dtype_limit])(int64_t n, const void* keys, bool descending, void* x) = {};
  // Packs keys of at most 32 bits with their indices first, first + 1, ...: key << 32 | index.
  void (*indexed_keys[dtype_limit])(int64_t n, const void* x, bool descending, int64_t first,
                                    uint64_t* keys) = {};
  // Packs 2 <= n <= max_network_length keys of every dtype except complex ones, after subtracting the least,
  // with their indices: into 32 bits if an element has at most 32 bits, otherwise into 64. Returns the number
  // of low bits of a key that did not fit.
  int (*packed_keys[dtype_limit])(int64_t n, const void* x, bool descending, void* keys) = {};
  // Unpacks the indices; returns true if two adjacent keys are equal except for their indices.
  bool (*short_order4)(int64_t n, const uint32_t* keys, uint64_t* indices) = nullptr;
  bool (*short_order8)(int64_t n, const uint64_t* keys, uint64_t* indices) = nullptr;
  // Networks of unsigned integers of 1 << i bytes. rows: sorts each of network_rows rows of n integers, `ld`
  // integers apart. columns: sorts each of network_bytes / (1 << i) columns of n integers, the rows `ld`
  // integers apart. n <= max_network_length.
  void (*rows[4])(int64_t n, int64_t ld, void* x) = {};
  void (*columns[4])(int64_t n, int64_t ld, void* x) = {};
  // Sorts n integers of x into x or into `other`; both have n integers and are overwritten.
  void (*sort[4])(int64_t n, void* x, void* other, bool to_other) = {};
  // Moves the m of n integers that are less than the pivot to the beginning of x, the others to the end of
  // `other`, which has n integers. The rest of both is overwritten. Returns m.
  int64_t (*divide[4])(int64_t n, void* x, uint64_t pivot, void* other) = {};
  // Copies those of n keys, of 4 or 8 bytes, that are in low .. low + span to `out`, in order. Returns their
  // number, and adds the number of smaller keys to *below. out has room for n.
  int64_t (*within4)(int64_t n, const uint32_t* keys, uint32_t low, uint32_t span, uint32_t* out,
                     int64_t* below) = nullptr;
  int64_t (*within8)(int64_t n, const uint64_t* keys, uint64_t low, uint64_t span, uint64_t* out,
                     int64_t* below) = nullptr;
};
inline constexpr int64_t max_network_length = 256;
inline constexpr int64_t network_bytes = 64;
// Keys of 8 and 16 bits are sorted as 32 bits.
constexpr int64_t network_rows(int64_t item) { return network_bytes / (item < 4 ? 4 : item); }
// The index of integers of `item` bytes in the tables by width.
constexpr int width_index(int64_t item) { return item == 1 ? 0 : item == 2 ? 1 : item == 4 ? 2 : 3; }

// Returns the loops of the level in use.
const SortingLoops& sorting_loops();

}  // namespace arr::host
