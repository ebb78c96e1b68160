// SPDX-License-Identifier: MIT
// Joins matrices beside each other, line by line.
#include "backend/sparse.h"
#include "host/sparse/calls.h"
#include "host/sparse/lines.h"

namespace arr::host {

namespace {

template <class I>
const I* pointers_of(const SparseJoinCall& c, int64_t part) {
  return static_cast<const I*>(c.parts[3 * part]);
}

// The position of a line in the result: the elements of all parts before it.
template <class I>
void add_pointers(const SparseJoinCall& c) {
  auto* to = static_cast<I*>(c.pointers);
  parallel_ranges(c.lines + 1, serial_elements, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) to[i] = 0;
    for (int64_t part = 0; part < c.n; ++part) {
      const I* from = pointers_of<I>(c, part);
      for (int64_t i = first; i < last; ++i) to[i] = static_cast<I>(to[i] + from[i]);
    }
  });
}

template <class I, class T>
void copy_lines(const SparseJoinCall& c, int64_t first, int64_t last) {
  const I* starts = static_cast<const I*>(c.pointers);
  I* indices = static_cast<I*>(c.indices) + starts[first];
  T* data = static_cast<T*>(c.data) + starts[first];
  for (int64_t i = first; i < last; ++i) {
    for (int64_t part = 0; part < c.n; ++part) {
      const I* from = pointers_of<I>(c, part);
      const I* from_indices = static_cast<const I*>(c.parts[3 * part + 1]);
      const T* from_data = static_cast<const T*>(c.parts[3 * part + 2]);
      const I offset = static_cast<I>(c.offsets[part]);
      for (int64_t p = from[i]; p < from[i + 1]; ++p) {
        *indices++ = static_cast<I>(from_indices[p] + offset);
        *data++ = from_data[p];
      }
    }
  }
}

}  // namespace

void sparse_join(const SparseJoinCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) {
    add_pointers<I>(c);
    with_item(c.item, [&]<class T>(T) {
      parallel_lines(static_cast<const I*>(c.pointers), c.lines, serial_elements / 4, 4,
                     [&](int64_t first, int64_t last) { copy_lines<I, T>(c, first, last); });
    });
  });
}

}  // namespace arr::host
