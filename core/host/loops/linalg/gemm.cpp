// SPDX-License-Identifier: MIT
// Matrix products by loops: c += a @ b, wrapping for integers; c |= a & b for bool. Floats and complex
// numbers come here where the machine has no BLAS.
#include "host/loops/level.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

namespace arr::host::ARR_LEVEL {

namespace {

template <class T>
struct Product {
  typedef T E;  // element type of the matrices
  ARR_FN static T factor(T x) { return x; }
  ARR_FN static T add(T sum, T x, T y) { return arr_cast<T>(sum + arr_multiply(x, y)); }
};
// In a bool, true is any nonzero byte. Sums are such bytes until the end.
template <>
struct Product<bool> {
  typedef unsigned char E;
  ARR_FN static E factor(E x) { return x != 0 ? 255 : 0; }
  ARR_FN static E add(E sum, E x, E y) { return static_cast<E>(sum | (x & y)); }
};

// Four rows of c at a time run along rows of b: each loaded vector of b is used four times, and the block of
// b (depth x width elements) stays in the second-level cache.
template <class P, class T = typename P::E>
ARR_FN void rows4(int64_t n, int64_t depth, const T* a, int64_t lda, const T* b, int64_t ldb, T* c,
                  int64_t ldc) {
  T *c0 = c, *c1 = c + ldc, *c2 = c + 2 * ldc, *c3 = c + 3 * ldc;
  for (int64_t k = 0; k < depth; ++k) {
    const T a0 = P::factor(a[k]), a1 = P::factor(a[lda + k]), a2 = P::factor(a[2 * lda + k]),
            a3 = P::factor(a[3 * lda + k]);
    const T* row = b + k * ldb;
#pragma GCC ivdep
    for (int64_t j = 0; j < n; ++j) {
      c0[j] = P::add(c0[j], a0, row[j]);
      c1[j] = P::add(c1[j], a1, row[j]);
      c2[j] = P::add(c2[j], a2, row[j]);
      c3[j] = P::add(c3[j], a3, row[j]);
    }
  }
}
template <class A>
void gemm(int64_t m, int64_t n, int64_t k, const void* pa, int64_t lda, const void* pb, int64_t ldb, void* pc,
          int64_t ldc) {
  typedef Product<A> P;
  typedef typename P::E T;
  const T *a = static_cast<const T*>(pa), *b = static_cast<const T*>(pb);
  T* c = static_cast<T*>(pc);
  constexpr int64_t depth = 128, width = 4096 / sizeof(T);
  for (int64_t j = 0; j < n; j += width) {
    const int64_t nj = n - j < width ? n - j : width;
    for (int64_t l = 0; l < k; l += depth) {
      const int64_t nl = k - l < depth ? k - l : depth;
      const T* block = b + l * ldb + j;
      int64_t i = 0;
      for (; i + 4 <= m; i += 4) rows4<P>(nj, nl, a + i * lda + l, lda, block, ldb, c + i * ldc + j, ldc);
      for (; i < m; ++i) {
        for (int64_t p = 0; p < nl; ++p) {
          const T scale = P::factor(a[i * lda + l + p]);
          const T* row = block + p * ldb;
          T* to = c + i * ldc + j;
#pragma GCC ivdep
          for (int64_t q = 0; q < nj; ++q) to[q] = P::add(to[q], scale, row[q]);
        }
      }
    }
  }
  if constexpr (row_of<A>::kind == BOOL) {
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) c[i * ldc + j] = c[i * ldc + j] < 1 ? c[i * ldc + j] : 1;
    }
  }
}

template <class T>
void set(LoopTable& t) {
  t.gemm[row_of<T>::number] = gemm<T>;
}

}  // namespace

void fill_gemm(LoopTable& t) {
  set<bool>(t);
  set<signed char>(t);
  set<unsigned char>(t);
  set<short>(t);
  set<unsigned short>(t);
  set<int>(t);
  set<unsigned int>(t);
  set<long long>(t);
  set<unsigned long long>(t);
  set<float>(t);
  set<double>(t);
  set<arr_cplx<float>>(t);
  set<arr_cplx<double>>(t);
}

}  // namespace arr::host::ARR_LEVEL
