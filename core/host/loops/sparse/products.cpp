// SPDX-License-Identifier: MIT
// Sparse matrix times dense matrix, row by row. The terms of an element are added in an order that depends on
// their number alone.
#include "host/loops/level.h"
//
#include "host/loops/sparse/column_set.h"
#include "host/loops/sparse/fetch.h"
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
  ARR_FN static bool is_zero(E x) { return !arr_cast<bool>(x); }
};
template <class T>
struct HalfSum {
  typedef float S;
  typedef T E;
  ARR_FN static S load(E x) { return arr_cast<float>(x); }
  ARR_FN static S add(S sum, S x, S y) { return sum + x * y; }
  ARR_FN static S plus(S x, S y) { return x + y; }
  ARR_FN static E store(S x) { return arr_cast<T>(x); }
  ARR_FN static bool is_zero(E x) { return load(x) == 0; }
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
  ARR_FN static bool is_zero(E x) { return x == 0; }
};

constexpr int64_t block = 256;  // columns that are summed at once
// Rows of a product with a vector that have as many elements are added in four sums, which do not wait for
// each other.
constexpr int64_t long_row = 16;

template <class T, class I, bool fetches>
__attribute__((noinline)) void vector(const SparseRows& c) {
  typedef Sum<T> P;
  const auto* data = static_cast<const typename P::E*>(c.data);
  const auto* x = static_cast<const typename P::E*>(c.x);
  const auto* indices = static_cast<const I*>(c.indices);
  const auto* pointers = static_cast<const I*>(c.pointers);
  auto* y = static_cast<typename P::E*>(c.y);
  I p = c.first < c.last ? pointers[c.first] : 0;
  const auto term = [&](typename P::S sum, I at) {
    return P::add(sum, P::load(data[at]), P::load(x[indices[at]]));
  };
  for (int64_t i = c.first; i < c.last; ++i) {
    const I end = pointers[i + 1];
    if constexpr (fetches) fetch(data + p, indices + p);
    typename P::S sum{};
    if (end - p >= long_row) {
      typename P::S sums[4] = {};
      for (; p + 4 <= end; p += 4) {
        sums[0] = term(sums[0], p);
        sums[1] = term(sums[1], p + 1);
        sums[2] = term(sums[2], p + 2);
        sums[3] = term(sums[3], p + 3);
      }
      sum = P::plus(P::plus(sums[0], sums[1]), P::plus(sums[2], sums[3]));
    }
    for (; p < end; ++p) sum = term(sum, p);
    y[i] = P::store(sum);
  }
}

template <class T, class I>
ARR_FN void some_columns(const SparseRows& c, int64_t i, int64_t from, int64_t n) {
  typedef Sum<T> P;
  const auto* data = static_cast<const typename P::E*>(c.data);
  const auto *indices = static_cast<const I*>(c.indices), *pointers = static_cast<const I*>(c.pointers);
  typename P::S sums[block];
  for (int64_t j = 0; j < n; ++j) sums[j] = {};
  for (int64_t p = pointers[i]; p < pointers[i + 1]; ++p) {
    const typename P::S a = P::load(data[p]);
    const auto* x = static_cast<const typename P::E*>(c.x) + indices[p] * c.columns + from;
#pragma GCC ivdep
    for (int64_t j = 0; j < n; ++j) sums[j] = P::add(sums[j], a, P::load(x[j]));
  }
  auto* y = static_cast<typename P::E*>(c.y) + i * c.columns + from;
  for (int64_t j = 0; j < n; ++j) y[j] = P::store(sums[j]);
}

// The bytes of a vector register.
#if defined(__AVX512F__)
constexpr int64_t vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int64_t vector_bytes = 32;
#else
constexpr int64_t vector_bytes = 16;
#endif

// The sums of `vectors` vectors of columns, in registers. Rows of x are fetched before they are needed.
template <int vectors, class T, class I>
ARR_FN void in_registers(const SparseRows& c, int64_t i, int64_t from) {
  typedef T V __attribute__((vector_size(vector_bytes)));
  typedef T U __attribute__((vector_size(vector_bytes), aligned(sizeof(T)), may_alias));
  constexpr int64_t lanes = vector_bytes / static_cast<int64_t>(sizeof(T)), ahead = 8;
  const T *data = static_cast<const T*>(c.data), *x = static_cast<const T*>(c.x) + from;
  const auto *indices = static_cast<const I*>(c.indices), *pointers = static_cast<const I*>(c.pointers);
  const int64_t k = c.columns, last = c.end - 1;
  V sums[vectors] = {};
  for (int64_t p = pointers[i]; p < pointers[i + 1]; ++p) {
    const T a = data[p];
    const T* row = x + indices[p] * k;
    const T* next = x + indices[p + ahead < last ? p + ahead : last] * k;
#pragma GCC unroll 8
    for (int j = 0; j < vectors; ++j) {
      if (j * vector_bytes % 64 == 0) __builtin_prefetch(next + j * lanes);
      sums[j] += a * static_cast<V>(*reinterpret_cast<const U*>(row + j * lanes));
    }
  }
  T* y = static_cast<T*>(c.y) + i * k + from;
#pragma GCC unroll 8
  for (int j = 0; j < vectors; ++j) *reinterpret_cast<U*>(y + j * lanes) = sums[j];
}

template <class T, class I>
void matrix(const SparseRows& c) {
  const int64_t k = c.columns;
  for (int64_t i = c.first; i < c.last; ++i) {
    int64_t from = 0;
    if constexpr (row_of<T>::kind == FLOAT && !is_half<T>) {
      constexpr int64_t lanes = vector_bytes / static_cast<int64_t>(sizeof(T));
      for (; k - from >= 8 * lanes; from += 8 * lanes) in_registers<8, T, I>(c, i, from);
      if (k - from >= 4 * lanes) {
        in_registers<4, T, I>(c, i, from);
        from += 4 * lanes;
      }
      for (; k - from >= lanes; from += lanes) in_registers<1, T, I>(c, i, from);
    }
    for (; from < k; from += block) some_columns<T, I>(c, i, from, k - from < block ? k - from : block);
  }
}

template <class T, class I>
void product(const SparseRows& c) {
  if (c.columns != 1) return matrix<T, I>(c);
  is_fetched<typename Sum<T>::E, I>(c.end) ? vector<T, I, true>(c) : vector<T, I, false>(c);
}

template <class T, class I, bool fetches>
void scatter_vector(const SparseRows& c) {
  typedef Sum<T> P;
  const auto* data = static_cast<const typename P::E*>(c.data);
  const auto *indices = static_cast<const I*>(c.indices), *pointers = static_cast<const I*>(c.pointers);
  const auto* x = static_cast<const typename P::E*>(c.x);
  auto* y = static_cast<typename P::S*>(c.y);
  for (int64_t i = c.first; i < c.last; ++i) {
    const typename P::S xi = P::load(x[i]);
    if constexpr (fetches) fetch(data + pointers[i], indices + pointers[i]);
    for (int64_t p = pointers[i]; p < pointers[i + 1]; ++p)
      y[indices[p]] = P::add(y[indices[p]], P::load(data[p]), xi);
  }
}

template <class T, class I>
void scatter(const SparseRows& c) {
  typedef Sum<T> P;
  const auto* data = static_cast<const typename P::E*>(c.data);
  const auto *indices = static_cast<const I*>(c.indices), *pointers = static_cast<const I*>(c.pointers);
  const int64_t k = c.columns;
  if (k == 1) {
    return is_fetched<typename P::E, I>(c.end) ? scatter_vector<T, I, true>(c)
                                               : scatter_vector<T, I, false>(c);
  }
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

template <class T, class I>
void scatter_elements(const SparseRows& c) {
  typedef Sum<T> P;
  const auto* data = static_cast<const typename P::E*>(c.data);
  const auto* indices = static_cast<const I*>(c.indices);
  auto* y = static_cast<typename P::S*>(c.y);
  constexpr int64_t some = 8;
  for (int64_t p = c.first; p < c.last;) {
    fetch(data + p, indices + p);
    for (const int64_t end = p + some < c.last ? p + some : c.last; p < end; ++p)
      y[indices[p]] = P::plus(y[indices[p]], P::load(data[p]));
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
int64_t sum(const SparseSumLines& c) {
  typedef Sum<T> P;
  auto* indices = static_cast<I*>(c.indices);
  auto* data = static_cast<typename P::E*>(c.data);
  int64_t p = 0, n = 0;
  for (int64_t i = 0; i < c.lines; ++i) {
    for (const int64_t end = c.ends[i]; p < end; ++n) {
      const I index = indices[p];
      typename P::S total = P::load(data[p]);
      for (++p; p < end && indices[p] == index; ++p) total = P::plus(total, P::load(data[p]));
      indices[n] = index;
      data[n] = P::store(total);
    }
    c.ends[i] = n;
  }
  return n;
}

template <class T, class I>
int64_t gemm(const SparseGemmRows& c) {
  typedef Sum<T> P;
  constexpr int64_t ahead = 6;  // elements of a whose rows of b are fetched before
  const auto *a = static_cast<const I*>(c.a.pointers), *a_indices = static_cast<const I*>(c.a.indices);
  const auto *b = static_cast<const I*>(c.b.pointers), *b_indices = static_cast<const I*>(c.b.indices);
  const auto *a_data = static_cast<const typename P::E*>(c.a.data),
             *b_data = static_cast<const typename P::E*>(c.b.data);
  auto* row = static_cast<typename P::S*>(c.row);
  auto* indices = static_cast<I*>(c.indices);
  auto* data = static_cast<typename P::E*>(c.data);
  ColumnSet column_set(c.column_set, c.columns);
  const int64_t end = a[c.last];
  int64_t n = 0;
  for (int64_t i = c.first; i < c.last; ++i) {
    for (int64_t p = a[i]; p < a[i + 1]; ++p) {
      const I next = b[a_indices[p + ahead < end ? p + ahead : p]];
      __builtin_prefetch(b_indices + next);
      __builtin_prefetch(b_data + next);
      __builtin_prefetch(b_data + next + 8);
      const typename P::S x = P::load(a_data[p]);
      const I k = a_indices[p];
      for (int64_t q = b[k]; q < b[k + 1]; ++q) {
        const auto column = static_cast<uint64_t>(b_indices[q]);
        row[column] = P::add(row[column], x, P::load(b_data[q]));
        column_set.add(column);
      }
    }
    column_set.take([&](uint64_t column) {
      const typename P::E sum = P::store(row[column]);
      row[column] = {};
      indices[n] = static_cast<I>(column);
      data[n] = sum;
      n += P::is_zero(sum) ? 0 : 1;
    });
    c.ends[i - c.first] = n;
  }
  return n;
}

template <class T, class I>
void fill(SparseLoops& t) {
  constexpr int wide = sizeof(I) == 8 ? 1 : 0;
  t.product[row_of<T>::number][wide] = product<T, I>;
  t.scatter[row_of<T>::number][wide] = scatter<T, I>;
  t.scatter_elements[row_of<T>::number][wide] = scatter_elements<T, I>;
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
