// SPDX-License-Identifier: MIT
// Parts that the two forms of a sort share: of elements (sort.cpp) and of their places (sort_places.cpp).
#pragma once

#include <cstdint>

#include "array/dtype.h"
#include "host/engine/parallel.h"

namespace arr {
struct SortCall;
}

namespace arr::host {

// The places that put each row in order, and with them the elements: for a call that wants places, and for
// complex numbers.
void sort_places(const SortCall& c);

// The bits of a float's infinity; 0 for integers.
uint64_t infinity_bits(DType d);

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
