// SPDX-License-Identifier: MIT
// Products of sparse matrices over semirings, row by row. Terms are combined in their order.
#include "host/loops/elementwise/ops.h"
//
#include "host/loops/sparse/column_set.h"
#include "host/loops/sparse/sparse.h"

namespace arr::host {
ARR_SPARSE_FILLERS(ARR_LEVEL)
}  // namespace arr::host

namespace arr::host::ARR_LEVEL {

namespace {

template <class T>
struct Least {
  typedef op_minimum Op;
  ARR_FN static T identity() { return arr_limits<T>::highest(); }
};
template <class T>
struct Largest {
  typedef op_maximum Op;
  ARR_FN static T identity() { return arr_limits<T>::lowest(); }
};
template <class T>
struct Total {
  typedef op_add Op;
  ARR_FN static T identity() { return T{}; }
};
template <class R, class O, class T>
struct Ring {
  typedef T E;
  ARR_FN static T identity() { return R::identity(); }
  ARR_FN static T join(T x, T y) { return arr_cast<T>(R::Op::template f<T>(x, y)); }
  ARR_FN static T term(T x, T y) { return arr_cast<T>(O::template f<T>(x, y)); }
};
struct AnyAnd {
  typedef unsigned char E;
  ARR_FN static E identity() { return 0; }
  ARR_FN static E join(E x, E y) { return static_cast<E>(x | y); }
  ARR_FN static E term(E x, E y) { return static_cast<E>(x & y); }
};

constexpr int64_t block = 256;  // columns that are combined at once

template <class P, class I>
ARR_FN void some_columns(const SparseRows& c, int64_t i, int64_t from, int64_t n) {
  typedef typename P::E E;
  const auto* data = static_cast<const E*>(c.data);
  const auto *indices = static_cast<const I*>(c.indices), *pointers = static_cast<const I*>(c.pointers);
  E sums[block];
  for (int64_t j = 0; j < n; ++j) sums[j] = P::identity();
  for (int64_t p = pointers[i]; p < pointers[i + 1]; ++p) {
    const E a = data[p];
    const E* x = static_cast<const E*>(c.x) + indices[p] * c.columns + from;
#pragma GCC ivdep
    for (int64_t j = 0; j < n; ++j) sums[j] = P::join(sums[j], P::term(a, x[j]));
  }
  E* y = static_cast<E*>(c.y) + i * c.columns + from;
  for (int64_t j = 0; j < n; ++j) y[j] = sums[j];
}

template <class P, class I>
void product(const SparseRows& c) {
  typedef typename P::E E;
  if (c.columns != 1) {
    for (int64_t i = c.first; i < c.last; ++i) {
      for (int64_t from = 0; from < c.columns; from += block) {
        some_columns<P, I>(c, i, from, c.columns - from < block ? c.columns - from : block);
      }
    }
    return;
  }
  const E *data = static_cast<const E*>(c.data), *x = static_cast<const E*>(c.x);
  const auto *indices = static_cast<const I*>(c.indices), *pointers = static_cast<const I*>(c.pointers);
  E* y = static_cast<E*>(c.y);
  for (int64_t i = c.first; i < c.last; ++i) {
    E sum = P::identity();
    for (int64_t p = pointers[i]; p < pointers[i + 1]; ++p)
      sum = P::join(sum, P::term(data[p], x[indices[p]]));
    y[i] = sum;
  }
}

// Rows of a product of two matrices, element by element.
template <class P, class I>
class Rows {
 public:
  typedef typename P::E E;
  explicit Rows(const SparseGemmRows& c)
      : c_(c),
        a_(static_cast<const I*>(c.a.pointers)),
        a_indices_(static_cast<const I*>(c.a.indices)),
        b_(static_cast<const I*>(c.b.pointers)),
        b_indices_(static_cast<const I*>(c.b.indices)),
        mask_(static_cast<const I*>(c.mask_pointers)),
        mask_indices_(static_cast<const I*>(c.mask_indices)),
        a_data_(static_cast<const E*>(c.a.data)),
        b_data_(static_cast<const E*>(c.b.data)),
        column_set_(c.column_set, c.columns) {}

  int64_t all() {
    for (int64_t i = c_.first; i < c_.last; ++i) {
      spread<false>(i);
      c_.ends[i - c_.first] = n_;
    }
    return n_;
  }
  // The elements of the mask, or all others. Those of a row are looked for, or all terms are made, whichever
  // is less work.
  int64_t masked() {
    for (int64_t i = c_.first; i < c_.last; ++i) {
      constexpr int64_t steps = 8;  // about as many terms are made in the time of a search
      int64_t terms = 0;
      for (int64_t p = a_[i]; p < a_[i + 1]; ++p) terms += b_[a_indices_[p] + 1] - b_[a_indices_[p]];
      const int64_t wanted = mask_[i + 1] - mask_[i];
      if (!c_.complement && wanted * (a_[i + 1] - a_[i]) * steps < terms) {
        for (int64_t q = mask_[i]; q < mask_[i + 1]; ++q) search(i, mask_indices_[q]);
      } else if (terms != 0) {
        for (int64_t q = mask_[i]; q < mask_[i + 1]; ++q) c_.met[mask_indices_[q]] = 1;
        spread<true>(i);
        for (int64_t q = mask_[i]; q < mask_[i + 1]; ++q) c_.met[mask_indices_[q]] = 0;
      }
      c_.ends[i - c_.first] = n_;
    }
    return n_;
  }

 private:
  ARR_FN void put(I column, E value) {
    static_cast<I*>(c_.indices)[n_] = column;
    static_cast<E*>(c_.data)[n_++] = value;
  }
  // Copies of the members can stay in registers, which writes of bytes would make the compiler read again.
  template <bool some>
  ARR_FN void spread(int64_t i) {
    const I *b = b_, *b_indices = b_indices_;
    const E *b_data = b_data_, *a_data = a_data_;
    const unsigned char* met = c_.met;
    const unsigned char wanted = c_.complement ? 0 : 1;
    E *row = static_cast<E*>(c_.row), *data = static_cast<E*>(c_.data);
    I* indices = static_cast<I*>(c_.indices);
    ColumnSet column_set = column_set_;
    for (int64_t p = a_[i], end = a_[i + 1]; p < end; ++p) {
      const I k = a_indices_[p];
      const E x = a_data[p];
      for (int64_t q = b[k], last = b[k + 1]; q < last; ++q) {
        const auto column = static_cast<uint64_t>(b_indices[q]);
        if (some && met[column] != wanted) continue;
        const E term = P::term(x, b_data[q]);
        row[column] = column_set.has(column) ? P::join(row[column], term) : term;
        column_set.add(column);
      }
    }
    int64_t n = n_;
    column_set.take([&](uint64_t column) {
      indices[n] = static_cast<I>(column);
      data[n++] = row[column];
    });
    n_ = n;
  }
  void search(int64_t i, I column) {
    bool found = false;
    E sum{};
    for (int64_t p = a_[i]; p < a_[i + 1]; ++p) {
      const I k = a_indices_[p];
      int64_t low = b_[k], high = b_[k + 1];
      const int64_t end = high;
      while (low < high) {
        const int64_t middle = (low + high) / 2;
        b_indices_[middle] < column ? low = middle + 1 : high = middle;
      }
      if (low == end || b_indices_[low] != column) continue;
      const E term = P::term(a_data_[p], b_data_[low]);
      sum = found ? P::join(sum, term) : term;
      found = true;
    }
    if (found) put(column, sum);
  }

  const SparseGemmRows& c_;
  const I *a_, *a_indices_, *b_, *b_indices_, *mask_, *mask_indices_;
  const E *a_data_, *b_data_;
  ColumnSet column_set_;
  int64_t n_ = 0;
};

template <class P, class I>
int64_t gemm(const SparseGemmRows& c) {
  Rows<P, I> rows(c);
  return c.mask_pointers != nullptr ? rows.masked() : rows.all();
}

template <class P, class T>
void fill_gemm(SparseLoops& t, SparseSemiring semiring) {
  auto& gemms = t.semiring_gemm[static_cast<int>(semiring)][row_of<T>::number];
  gemms[0] = gemm<P, int32_t>;
  gemms[1] = gemm<P, int64_t>;
}

template <class P, class T>
void fill(SparseLoops& t, SparseSemiring semiring) {
  auto& products = t.semiring_product[static_cast<int>(semiring)][row_of<T>::number];
  products[0] = product<P, int32_t>;
  products[1] = product<P, int64_t>;
  fill_gemm<P, T>(t, semiring);
}

template <class T>
void fill(SparseLoops& t) {
  fill_gemm<Ring<Total<T>, op_multiply, T>, T>(t, SparseSemiring::sum_multiply);
  fill<Ring<Least<T>, op_add, T>, T>(t, SparseSemiring::min_add);
  fill<Ring<Largest<T>, op_add, T>, T>(t, SparseSemiring::max_add);
  fill<Ring<Least<T>, op_multiply, T>, T>(t, SparseSemiring::min_multiply);
  fill<Ring<Largest<T>, op_multiply, T>, T>(t, SparseSemiring::max_multiply);
  fill<Ring<Least<T>, op_maximum, T>, T>(t, SparseSemiring::min_maximum);
  fill<Ring<Largest<T>, op_minimum, T>, T>(t, SparseSemiring::max_minimum);
}

}  // namespace

void fill_semirings(SparseLoops& t) {
  fill<float>(t);
  fill<double>(t);
  fill<int>(t);
  fill<long long>(t);
  fill_gemm<AnyAnd, bool>(t, SparseSemiring::any_and);
}

}  // namespace arr::host::ARR_LEVEL
