// SPDX-License-Identifier: MIT
// Functions common to sorts of elements (sort.cpp) and of indices (argsort.cpp).
#pragma once

#include <array>
#include <cstdint>

#include "array/dtype.h"
#include "host/elementwise/parallel.h"

namespace arr {
struct SortCall;
}

namespace arr::host {

// Sorts that return indices, and elements too if requested; also sorts of complex numbers.
void argsort(const SortCall& c);

// Sorts of the first elements, or of those at the indices kth (partial_sort.cpp).
void sort_selected(const SortCall& c);

// The key of a complex number from the keys of its parts. Its first half is compared first. Numbers with a
// nan are ordered as in NumPy: R + nan i, nan + R i, nan + nan i, each by the part that is a number. Keys of
// nan are above all others with unused keys between; the first half encodes the case.
template <class U>
std::array<U, 2> complex_key(U a, U b) {
  constexpr U nan = static_cast<U>(~U{0}), step = static_cast<U>(U{1} << (8 * sizeof(U) - 14));
  if (a != nan && b != nan) return {a, b};
  // Above the key of infinity, 0xff8... (float) or 0xfff0... (double).
  const U lowest = static_cast<U>(nan - 3 * step);
  if (a != nan) return {lowest, a};
  if (b != nan) return {static_cast<U>(lowest + step), b};
  return {nan, U{0}};
}

// The bits of a float's infinity; 0 for integers.
uint64_t infinity_bits(DType d);

// Keys are read this many at a time.
inline constexpr int64_t key_block = 512;

// Calls body(T{}) with an unsigned type T of the element's size.
template <class Body>
void by_item(int64_t item, const Body& body) {
  switch (item) {
    case 1:
      return body(uint8_t{});
    case 2:
      return body(uint16_t{});
    case 4:
      return body(uint32_t{});
    case 8:
      return body(uint64_t{});
    default:
      return body(std::array<uint64_t, 2>{});
  }
}

// Calls body(first, last) for parts of 0 .. n, in several threads or in the caller.
template <class Body>
void spread(int64_t n, bool threads, const Body& body) {
  if (threads) {
    parallel_ranges(n, serial_elements, body);
  } else if (n > 0) {
    body(int64_t{0}, n);
  }
}

}  // namespace arr::host
