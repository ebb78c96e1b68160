// SPDX-License-Identifier: MIT
// Divides lines of sparse matrices among threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "array/dtype.h"
#include "host/elementwise/parallel.h"

namespace arr::host {

// The first line before which there are at least `work` lines and elements. The first pointer may be any.
template <class I>
int64_t line_after(const I* pointers, int64_t lines, int64_t work) {
  int64_t low = 0, high = lines;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (int64_t{pointers[middle]} - int64_t{pointers[0]} + middle < work) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Calls body(first, last) for parts of the lines that have about as many lines and elements; in several
// threads if there are more than `grain` of these. parts: their number for each thread.
template <class I, class Body>
void parallel_lines(const I* pointers, int64_t lines, int64_t grain, int64_t parts, const Body& body) {
  const int64_t work = lines + int64_t{pointers[lines]} - int64_t{pointers[0]},
                n = std::min(parts * concurrency(), work);
  if (work <= grain || n < 2) return body(int64_t{0}, lines);
  parallel_ranges(n, 1, [&](int64_t first, int64_t last) {
    const auto begin = [&](int64_t part) {
      if (part == 0) return int64_t{0};
      return part == n ? lines : line_after(pointers, lines, work / n * part);
    };
    body(begin(first), begin(last));
  });
}

// Calls use(I{}) for the type I of indices.
template <class Use>
void with_index_type(DType d, const Use& use) {
  d == DType::int64_ ? use(int64_t{}) : use(int32_t{});
}

// The bits of an element of 16 bytes.
struct Wide {
  uint64_t low, high;
};
// Calls use(T{}) for a type of that many bytes.
template <class Use>
void with_item(int64_t item, const Use& use) {
  switch (item) {
    case 1:
      return use(uint8_t{});
    case 2:
      return use(uint16_t{});
    case 4:
      return use(uint32_t{});
    case 8:
      return use(uint64_t{});
    default:
      return use(Wide{});
  }
}

}  // namespace arr::host
