// SPDX-License-Identifier: MIT
// Merges the lines of two canonical matrices.
#include <cstring>

#include "backend/sparse.h"
#include "host/sparse/calls.h"
#include "host/sparse/lines.h"

namespace arr::host {

namespace {

// Copies an element of `item` bytes, or 0 for nullptr.
void put(char* to, const char* from, int64_t item) {
  switch (item) {
    case 4:
      return from == nullptr ? static_cast<void>(std::memset(to, 0, 4))
                             : static_cast<void>(std::memcpy(to, from, 4));
    case 8:
      return from == nullptr ? static_cast<void>(std::memset(to, 0, 8))
                             : static_cast<void>(std::memcpy(to, from, 8));
    default:
      const auto n = static_cast<size_t>(item);
      return from == nullptr ? static_cast<void>(std::memset(to, 0, n))
                             : static_cast<void>(std::memcpy(to, from, n));
  }
}

template <class I>
class Merge {
 public:
  explicit Merge(const SparseMergeCall& c)
      : c_(c),
        a_(static_cast<const I*>(c.a.pointers)),
        b_(static_cast<const I*>(c.b.pointers)),
        a_indices_(static_cast<const I*>(c.a.indices)),
        b_indices_(static_cast<const I*>(c.b.indices)) {}

  void count() {
    each([&](int64_t line) {
      int64_t n = 0;
      walk(line, [&](I, int64_t, int64_t) { ++n; });
      c_.pointers[line + 1] = n;
    });
    c_.pointers[0] = 0;
    for (int64_t i = 0; i < c_.lines; ++i) c_.pointers[i + 1] += c_.pointers[i];
  }

  void fill() {
    const auto *x = static_cast<const char*>(c_.a.data), *y = static_cast<const char*>(c_.b.data);
    auto *x_to = static_cast<char*>(c_.a_data), *y_to = static_cast<char*>(c_.b_data);
    each([&](int64_t line) {
      int64_t at = c_.pointers[line];
      walk(line, [&](I index, int64_t p, int64_t q) {
        static_cast<I*>(c_.indices)[at] = index;
        put(x_to + at * c_.a_item, p < 0 ? nullptr : x + p * c_.a_item, c_.a_item);
        put(y_to + at * c_.b_item, q < 0 ? nullptr : y + q * c_.b_item, c_.b_item);
        ++at;
      });
    });
  }

 private:
  template <class Body>
  void each(const Body& body) const {
    // The elements of the larger one say how much work there is.
    const I* larger = a_[c_.lines] < b_[c_.lines] ? b_ : a_;
    parallel_lines(larger, c_.lines, serial_elements / 8, 4, [&](int64_t first, int64_t last) {
      for (int64_t line = first; line < last; ++line) body(line);
    });
  }
  // use(index, position in a, position in b) for each index; -1 where a matrix has none.
  template <class Use>
  void walk(int64_t line, const Use& use) const {
    I p = a_[line], q = b_[line];
    const I p_end = a_[line + 1], q_end = b_[line + 1];
    while (p < p_end && q < q_end) {
      const I i = a_indices_[p], j = b_indices_[q];
      if (i == j) {
        use(i, p++, q++);
      } else if (i < j) {
        if (!c_.both) use(i, p, -1);
        ++p;
      } else {
        if (!c_.both) use(j, -1, q);
        ++q;
      }
    }
    if (c_.both) return;
    for (; p < p_end; ++p) use(a_indices_[p], p, -1);
    for (; q < q_end; ++q) use(b_indices_[q], -1, q);
  }

  const SparseMergeCall& c_;
  const I *a_, *b_, *a_indices_, *b_indices_;
};

}  // namespace

void sparse_merge(const SparseMergeCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) {
    Merge<I> m(c);
    c.indices == nullptr ? m.count() : m.fill();
  });
}

}  // namespace arr::host
