// SPDX-License-Identifier: MIT
// Products of sparse matrices over semirings, row by row. Terms are combined in their order.
#include "host/loops/elementwise/ops.h"
//
#include "host/loops/sparse/marks.h"
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

// The rows of a product of two matrices. masked: only where the mask has elements.
template <bool masked, class P, class I>
int64_t rows(const SparseGemmRows& c) {
  typedef typename P::E E;
  const auto *a = static_cast<const I*>(c.a.pointers), *a_indices = static_cast<const I*>(c.a.indices);
  const auto *b = static_cast<const I*>(c.b.pointers), *b_indices = static_cast<const I*>(c.b.indices);
  const auto *m = static_cast<const I*>(c.mask_pointers), *m_indices = static_cast<const I*>(c.mask_indices);
  const E *a_data = static_cast<const E*>(c.a.data), *b_data = static_cast<const E*>(c.b.data);
  E* row = static_cast<E*>(c.row);
  auto* indices = static_cast<I*>(c.indices);
  E* data = static_cast<E*>(c.data);
  Marks marks(c.marks, c.columns);
  int64_t n = 0;
  for (int64_t i = c.first; i < c.last; ++i) {
    if constexpr (masked) {
      for (int64_t q = m[i]; q < m[i + 1]; ++q) c.allowed[m_indices[q]] = 1;
    }
    const bool any = !masked || m[i] < m[i + 1];
    for (int64_t p = a[i]; any && p < a[i + 1]; ++p) {
      const I k = a_indices[p];
      for (int64_t q = b[k]; q < b[k + 1]; ++q) {
        const auto column = static_cast<uint64_t>(b_indices[q]);
        if (masked && c.allowed[column] == 0) continue;
        const E term = P::term(a_data[p], b_data[q]);
        row[column] = marks.has(column) ? P::join(row[column], term) : term;
        marks.add(column);
      }
    }
    marks.take([&](uint64_t column) {
      indices[n] = static_cast<I>(column);
      data[n++] = row[column];
    });
    if constexpr (masked) {
      for (int64_t q = m[i]; q < m[i + 1]; ++q) c.allowed[m_indices[q]] = 0;
    }
    c.ends[i - c.first] = n;
  }
  return n;
}

template <class P, class I>
int64_t gemm(const SparseGemmRows& c) {
  return c.mask_pointers != nullptr ? rows<true, P, I>(c) : rows<false, P, I>(c);
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
