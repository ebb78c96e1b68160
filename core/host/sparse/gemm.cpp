// SPDX-License-Identifier: MIT
// Products of two sparse matrices by rows: a row of the result has the columns of the rows of b that its
// elements of a name. The columns are counted and listed here; loops/sparse adds the terms.
#include <algorithm>
#include <bit>
#include <vector>

#include "backend/sparse.h"
#include "base/checked.h"
#include "host/loops/sparse/sparse.h"
#include "host/sparse/calls.h"
#include "host/sparse/lines.h"

namespace arr::host {

namespace {

// The columns of a row: a bit for each, and a bit for each 64 of these, by which they are listed in order. A
// row of many columns is sorted instead.
class Columns {
 public:
  explicit Columns(int64_t columns) : bits_(words(columns), 0), groups_(words(words(columns)), 0) {}

  // Returns true if the column is new.
  bool add(int64_t column) {
    const auto c = static_cast<uint64_t>(column);
    uint64_t& word = bits_[c / 64];
    const uint64_t bit = uint64_t{1} << (c % 64);
    if ((word & bit) != 0) return false;
    word |= bit;
    groups_[c / 4096] |= uint64_t{1} << (c / 64 % 64);
    low_ = std::min(low_, c / 4096);
    high_ = std::max(high_, c / 4096);
    return true;
  }
  // Forgets the columns of a list.
  template <class I>
  void clear(const I* first, const I* last) {
    for (; first != last; ++first) {
      bits_[static_cast<uint64_t>(*first) / 64] = 0;
      groups_[static_cast<uint64_t>(*first) / 4096] = 0;
    }
    low_ = ~uint64_t{0};
    high_ = 0;
  }
  // Replaces the list of all columns, in any order, by the same in order.
  template <class I>
  void sort(I* first, I* last) const {
    if (first == last) return;
    if (static_cast<int64_t>(high_ - low_) > 4 * (last - first)) return std::sort(first, last);
    for (uint64_t g = low_; g <= high_; ++g) {
      for (uint64_t group = groups_[g]; group != 0; group &= group - 1) {
        const uint64_t w = g * 64 + static_cast<uint64_t>(std::countr_zero(group));
        for (uint64_t word = bits_[w]; word != 0; word &= word - 1) {
          *first++ = static_cast<I>(w * 64 + static_cast<uint64_t>(std::countr_zero(word)));
        }
      }
    }
  }

 private:
  template <class N>
  static size_t words(N n) {
    return (static_cast<size_t>(n) + 63) / 64;
  }
  std::vector<uint64_t> bits_, groups_;
  uint64_t low_ = ~uint64_t{0}, high_ = 0;  // the first and the last group that has a bit
};

template <class I>
class Gemm {
 public:
  explicit Gemm(const SparseGemmCall& c)
      : c_(c),
        a_(static_cast<const I*>(c.a.pointers)),
        a_indices_(static_cast<const I*>(c.a.indices)),
        b_(static_cast<const I*>(c.b.pointers)),
        b_indices_(static_cast<const I*>(c.b.indices)) {}

  void count() {
    each_rows([&](int64_t first, int64_t last) {
      Columns columns(c_.columns);
      std::vector<I> list;
      for (int64_t i = first; i < last; ++i) {
        list.clear();
        each_column(i, [&](int64_t column) {
          if (columns.add(column)) list.push_back(static_cast<I>(column));
        });
        c_.pointers[i + 1] = static_cast<int64_t>(list.size());
        columns.clear(list.data(), list.data() + list.size());
      }
    });
    c_.pointers[0] = 0;
    for (int64_t i = 0; i < c_.rows; ++i) c_.pointers[i + 1] += c_.pointers[i];
  }

  void fill() {
    const auto loop = sparse_loops().gemm[static_cast<size_t>(c_.dtype)][sizeof(I) == 8 ? 1 : 0];
    each_rows([&](int64_t first, int64_t last) {
      Columns columns(c_.columns);
      std::vector<char> sums(static_cast<size_t>(
          checked::mul(c_.columns, sparse_loops().sum_bytes[static_cast<size_t>(c_.dtype)], "a row")));
      SparseGemmRows rows{0,          0,         a_,          a_indices_, c_.a.data,   b_,
                          b_indices_, c_.b.data, c_.pointers, c_.indices, sums.data(), c_.sums};
      for (int64_t i = first; i < last; ++i) {
        I* const list = static_cast<I*>(c_.indices) + c_.pointers[i];
        I* to = list;
        each_column(i, [&](int64_t column) {
          if (columns.add(column)) *to++ = static_cast<I>(column);
        });
        columns.sort(list, to);
        columns.clear(list, to);
        rows.first = i;
        rows.last = i + 1;
        loop(rows);
      }
    });
  }

 private:
  template <class Use>
  void each_column(int64_t row, const Use& use) const {
    for (I p = a_[row]; p < a_[row + 1]; ++p) {
      const I k = a_indices_[p];
      for (I q = b_[k]; q < b_[k + 1]; ++q) use(b_indices_[q]);
    }
  }
  // Rows in pieces of equally many terms.
  template <class Body>
  void each_rows(const Body& body) {
    std::vector<int64_t> terms(static_cast<size_t>(c_.rows + 1), 0);
    for (int64_t i = 0; i < c_.rows; ++i) {
      int64_t n = 0;
      for (I p = a_[i]; p < a_[i + 1]; ++p) n += int64_t{b_[a_indices_[p] + 1]} - int64_t{b_[a_indices_[p]]};
      terms[static_cast<size_t>(i + 1)] = terms[static_cast<size_t>(i)] + n;
    }
    parallel_lines(terms.data(), c_.rows, serial_elements / 4, 2, body);
  }

  const SparseGemmCall& c_;
  const I *a_, *a_indices_, *b_, *b_indices_;
};

}  // namespace

void sparse_gemm(const SparseGemmCall& c) {
  with_index_type(c.index_type, [&]<class I>(I) {
    Gemm<I> g(c);
    c.indices == nullptr ? g.count() : g.fill();
  });
}

}  // namespace arr::host
