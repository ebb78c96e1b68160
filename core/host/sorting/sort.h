// SPDX-License-Identifier: MIT
// Parts that the two forms of a sort share: of elements (sort.cpp) and of their indices (argsort.cpp).
#pragma once

#include <array>
#include <cstdint>

#include "array/dtype.h"
#include "host/elementwise/parallel.h"

namespace arr {
struct SortCall;
}

namespace arr::host {

// The indices that sort each row, and with them the elements: for a call that wants indices, and for
// complex numbers.
void argsort(const SortCall& c);

// Sorts of the first elements, or of those at the indices kth (partial_sort.cpp).
void sort_selected(const SortCall& c);

// The key of a complex number from those of its parts, which counts first by its first half. NumPy's order of
// those with a nan: R + nan i, nan + R i, nan + nan i, each by the part that is a number. The keys of a nan
// are above all others and there is space between them: the first half contains the class.
template <class U>
std::array<U, 2> complex_key(U a, U b) {
  constexpr U nan = static_cast<U>(~U{0}), step = static_cast<U>(U{1} << (8 * sizeof(U) - 14));
  if (a != nan && b != nan) return {a, b};
  // Above infinity's 0xff8... (float) or 0xfff0... (double).
  const U least = static_cast<U>(nan - 3 * step);
  if (a != nan) return {least, a};
  if (b != nan) return {static_cast<U>(least + step), b};
  return {nan, U{0}};
}

// The bits of a float's infinity; 0 for integers.
uint64_t infinity_bits(DType d);

// Keys are read this many at a time.
inline constexpr int64_t key_block = 512;

// body(T{}) with a type T of as many bytes as an element.
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

// body(first, last) over 0 .. n, by several threads or the caller's.
template <class Body>
void spread(int64_t n, bool threads, const Body& body) {
  if (threads) {
    parallel_ranges(n, serial_elements, body);
  } else if (n > 0) {
    body(int64_t{0}, n);
  }
}

}  // namespace arr::host
