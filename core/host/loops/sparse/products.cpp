// SPDX-License-Identifier: MIT
// Sparse matrix times dense matrix, row by row. The terms of an element are added in the order in which they
// are stored, whatever the number of threads.
#include "host/loops/level.h"
//
#include "host/loops/sparse/sparse.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

namespace arr::host {
ARR_SPARSE_FILLERS(ARR_LEVEL)
}  // namespace arr::host

namespace arr::host::ARR_LEVEL {

namespace {

// The type S of sums, and how terms are added.
template <class T>
struct Sum {
  typedef T S;
  typedef T E;  // type of elements in memory
  ARR_FN static S load(E x) { return x; }
  ARR_FN static S add(S sum, S x, S y) { return arr_cast<T>(sum + arr_multiply(x, y)); }
  ARR_FN static S plus(S x, S y) { return arr_cast<T>(x + y); }
  ARR_FN static E store(S x) { return x; }
};
template <class T>
struct HalfSum {
  typedef float S;
  typedef T E;
  ARR_FN static S load(E x) { return arr_cast<float>(x); }
  ARR_FN static S add(S sum, S x, S y) { return sum + x * y; }
  ARR_FN static S plus(S x, S y) { return x + y; }
  ARR_FN static E store(S x) { return arr_cast<T>(x); }
};
template <>
struct Sum<arr_half> : HalfSum<arr_half> {};
template <>
struct Sum<arr_bfloat> : HalfSum<arr_bfloat> {};
template <>
struct Sum<bool> {
  typedef unsigned char S;
  typedef unsigned char E;
  ARR_FN static S load(E x) { return x != 0; }
  ARR_FN static S add(S sum, S x, S y) { return static_cast<S>(sum | (x & y)); }
  ARR_FN static S plus(S x, S y) { return static_cast<S>(x | y); }
  ARR_FN static E store(S x) { return x; }
};

constexpr int64_t block = 256;  // columns that are summed at once

template <class T, class I>
void vector(const SparseRows& c) {
  typedef Sum<T> P;
  const auto* data = static_cast<const typename P::E*>(c.data);
  const auto* x = static_cast<const typename P::E*>(c.x);
  const auto* indices = static_cast<const I*>(c.indices);
  const auto* pointers = static_cast<const I*>(c.pointers);
  auto* y = static_cast<typename P::E*>(c.y);
  I p = c.first < c.last ? pointers[c.first] : 0;
  for (int64_t i = c.first; i < c.last; ++i) {
    typename P::S sum{};
    for (const I end = pointers[i + 1]; p < end; ++p)
      sum = P::add(sum, P::load(data[p]), P::load(x[indices[p]]));
    y[i] = P::store(sum);
  }
}

template <class T, class I>
void matrix(const SparseRows& c) {
  typedef Sum<T> P;
  const auto* data = static_cast<const typename P::E*>(c.data);
  const auto* indices = static_cast<const I*>(c.indices);
  const auto* pointers = static_cast<const I*>(c.pointers);
  const int64_t k = c.columns;
  for (int64_t i = c.first; i < c.last; ++i) {
    for (int64_t from = 0; from < k; from += block) {
      const int64_t n = k - from < block ? k - from : block;
      typename P::S sums[block];
      for (int64_t j = 0; j < n; ++j) sums[j] = {};
      for (I p = pointers[i]; p < pointers[i + 1]; ++p) {
        const typename P::S a = P::load(data[p]);
        const auto* x = static_cast<const typename P::E*>(c.x) + indices[p] * k + from;
#pragma GCC ivdep
        for (int64_t j = 0; j < n; ++j) sums[j] = P::add(sums[j], a, P::load(x[j]));
      }
      auto* y = static_cast<typename P::E*>(c.y) + i * k + from;
      for (int64_t j = 0; j < n; ++j) y[j] = P::store(sums[j]);
    }
  }
}

template <class T, class I>
void product(const SparseRows& c) {
  c.columns == 1 ? vector<T, I>(c) : matrix<T, I>(c);
}

template <class T, class I>
void scatter(const SparseRows& c) {
  typedef Sum<T> P;
  const auto* data = static_cast<const typename P::E*>(c.data);
  const auto *indices = static_cast<const I*>(c.indices), *pointers = static_cast<const I*>(c.pointers);
  const int64_t k = c.columns;
  for (int64_t i = c.first; i < c.last; ++i) {
    const auto* x = static_cast<const typename P::E*>(c.x) + i * k;
    for (I p = pointers[i]; p < pointers[i + 1]; ++p) {
      const typename P::S a = P::load(data[p]);
      auto* y = static_cast<typename P::S*>(c.y) + indices[p] * k;
#pragma GCC ivdep
      for (int64_t j = 0; j < k; ++j) y[j] = P::add(y[j], a, P::load(x[j]));
    }
  }
}

// The sums of elements first .. last - 1 of `parts` arrays, `step` elements apart.
template <class T>
void gather(int64_t parts, int64_t step, int64_t first, int64_t last, const void* sums, void* y) {
  typedef Sum<T> P;
  const auto* from = static_cast<const typename P::S*>(sums);
  auto* to = static_cast<typename P::E*>(y);
  for (int64_t j = first; j < last; ++j) {
    typename P::S total = from[j];
    for (int64_t part = 1; part < parts; ++part) total = P::plus(total, from[part * step + j]);
    to[j] = P::store(total);
  }
}

template <class T, class I>
void sum(const SparseSumLines& c) {
  typedef Sum<T> P;
  const auto* data = static_cast<const typename P::E*>(c.data);
  const auto *sorted = static_cast<const I*>(c.sorted), *order = static_cast<const I*>(c.order);
  for (int64_t i = c.first; i < c.last; ++i) {
    auto* inner = static_cast<I*>(c.inner) + c.distinct[i];
    auto* sums = static_cast<typename P::E*>(c.sums) + c.distinct[i];
    for (int64_t p = c.pointers[i]; p < c.pointers[i + 1];) {
      const I index = sorted[p];
      typename P::S total = P::load(data[order[p]]);
      for (++p; p < c.pointers[i + 1] && sorted[p] == index; ++p)
        total = P::plus(total, P::load(data[order[p]]));
      *inner++ = index;
      *sums++ = P::store(total);
    }
  }
}

template <class T, class I>
void gemm(const SparseGemmRows& c) {
  typedef Sum<T> P;
  const auto *a = static_cast<const I*>(c.a), *a_indices = static_cast<const I*>(c.a_indices);
  const auto *b = static_cast<const I*>(c.b), *b_indices = static_cast<const I*>(c.b_indices);
  const auto *a_data = static_cast<const typename P::E*>(c.a_data),
             *b_data = static_cast<const typename P::E*>(c.b_data);
  const auto* indices = static_cast<const I*>(c.indices);
  auto* row = static_cast<typename P::S*>(c.row);
  auto* sums = static_cast<typename P::E*>(c.sums);
  for (int64_t i = c.first; i < c.last; ++i) {
    for (int64_t p = c.pointers[i]; p < c.pointers[i + 1]; ++p) row[indices[p]] = {};
    for (I p = a[i]; p < a[i + 1]; ++p) {
      const typename P::S x = P::load(a_data[p]);
      const I k = a_indices[p];
      for (I q = b[k]; q < b[k + 1]; ++q) {
        typename P::S* to = row + b_indices[q];
        *to = P::add(*to, x, P::load(b_data[q]));
      }
    }
    for (int64_t p = c.pointers[i]; p < c.pointers[i + 1]; ++p) sums[p] = P::store(row[indices[p]]);
  }
}

template <class T, class I>
void fill(SparseLoops& t) {
  constexpr int wide = sizeof(I) == 8 ? 1 : 0;
  t.product[row_of<T>::number][wide] = product<T, I>;
  t.scatter[row_of<T>::number][wide] = scatter<T, I>;
  t.gather[row_of<T>::number] = gather<T>;
  t.sum_bytes[row_of<T>::number] = sizeof(typename Sum<T>::S);
  t.sum[row_of<T>::number][wide] = sum<T, I>;
  t.gemm[row_of<T>::number][wide] = gemm<T, I>;
}

}  // namespace

void fill_products(SparseLoops& t) {
#define ARR_DTYPE(NAME, number, name, type, kind, bytes, npy, dlcode, doc) \
  fill<type, int32_t>(t);                                                  \
  fill<type, int64_t>(t);
#include "table/dtypes.def"
#undef ARR_DTYPE
}

}  // namespace arr::host::ARR_LEVEL
