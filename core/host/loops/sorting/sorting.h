// SPDX-License-Identifier: MIT
// The loops of sorting: elements as keys that sort as unsigned integers, and short rows sorted by a network,
// several at once. Plain data, as in table.h.
#pragma once

#include <cstdint>

#include "array/dtype.h"

namespace arr::host {

// True if some elements are nan, or -0.0: a key does not tell one nan from another, nor -0.0 from 0.0.
struct KeysSeen {
  bool nan = false, minus_zero = false;
};

struct SortingLoops {
  // Of every dtype but complex ones, by its number: n elements as keys of as many bytes. Descending: the
  // greatest element has the least key; the key of nan is the greatest in both directions. keys may be x.
  KeysSeen (*keys[dtype_limit])(int64_t n, const void* x, bool descending, void* keys) = {};
  // The elements of keys; x may be keys.
  void (*elements[dtype_limit])(int64_t n, const void* keys, bool descending, void* x) = {};
  // Keys of at most 32 bits before their places, first, first + 1, ...: key << 32 | place.
  void (*places[dtype_limit])(int64_t n, const void* x, bool descending, int64_t first, uint64_t* keys) = {};
  // Sorts each of 64 / (bytes of a key) rows of n <= network_most unsigned integers of 1 << i bytes, `ld`
  // integers apart.
  void (*rows[4])(int64_t n, int64_t ld, void* x) = {};
};
inline constexpr int64_t network_most = 256;
inline constexpr int64_t network_bytes = 64;  // of keys with one place in their rows

// Of the level in use.
const SortingLoops& sorting_loops();

}  // namespace arr::host
