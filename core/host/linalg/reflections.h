// SPDX-License-Identifier: MIT
// Products of Householder reflections, applied to many columns by several threads.
#pragma once

#include <algorithm>

#include "host/elementwise/parallel.h"
#include "host/linalg/linalg.h"

namespace arr::host {

// c = alpha op(a) b + beta c, column-major; op: 111 none, 113 the adjoint.
template <class T>
void gemm_columns(int op, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta,
                  T* c, int ldc) {
  const Blas& l = blas();
  if constexpr (std::is_same_v<T, float>) {
    l.sgemm(102, op, 111, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  } else if constexpr (std::is_same_v<T, double>) {
    l.dgemm(102, op, 111, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  } else {
    const auto gemm = std::is_same_v<T, std::complex<float>> ? l.cgemm : l.zgemm;
    gemm(102, op, 111, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
  }
}

// Calls body(first, last) for pieces of 0 .. columns. The pieces do not depend on the number of threads,
// because the rounding of BLAS depends on the size.
template <class Body>
void fixed_pieces(int64_t columns, const Body& body) {
  constexpr int64_t each = 64;
  parallel_ranges((columns + each - 1) / each, 1, [&](int64_t first, int64_t last) {
    for (; first < last; ++first) body(first * each, std::min(columns, (first + 1) * each));
  });
}

// The product of `count` reflections I - tau v v^H as LAPACK stores them: v of the i-th is 0 above row i, 1
// in it, and below it column i of a. Blocks of them are I - V T V^H: Schreiber and Van Loan, "A
// storage-efficient WY representation for products of Householder transformations", SIAM J. Sci. Stat.
// Comput. 10 (1989), 53-57; T by its product V^H V, as Puglisi, "Modification of the Householder method based
// on the compact WY representation", same journal 13 (1992), 723-726. Calls of BLAS are made by several
// threads at once: the caller holds a OneThread.
template <class T>
class Reflections {
 public:
  Reflections(const T* a, int64_t lda, int64_t rows, int64_t count, const T* tau)
      : rows_(rows), count_(count), vectors_(size()), factors_(blocks() * width * width) {
    parallel_ranges(blocks(), 1, [&](int64_t first, int64_t last) {
      for (int64_t b = first; b < last; ++b) prepare(b, a, lda, tau);
    });
  }
  // Multiplies n columns of rows_ elements, ld elements apart, by the product from the left.
  void apply(T* columns, int64_t n, int64_t ld) const {
    fixed_pieces(n, [&](int64_t first, int64_t last) { apply_all(columns + first * ld, last - first, ld); });
  }

 private:
  static constexpr int64_t width = 64;
  struct Block {
    int64_t row, width, rows;
    T* vectors;
    T* factor;
  };
  [[nodiscard]] int64_t blocks() const { return (count_ + width - 1) / width; }
  [[nodiscard]] int64_t size() const { return checked::mul(blocks() * width, rows_, "a workspace"); }
  [[nodiscard]] Block block(int64_t b) const {
    const int64_t row = b * width;
    return {row, std::min(width, count_ - row), rows_ - row, vectors_.get() + b * width * rows_,
            factors_.get() + b * width * width};
  }

  void prepare(int64_t number, const T* a, int64_t lda, const T* tau) const {
    const Block b = block(number);
    for (int64_t j = 0; j < b.width; ++j) {
      const T* from = a + (b.row + j) * lda + b.row;
      T* to = b.vectors + j * b.rows;
      std::fill(to, to + j, T(0));
      to[j] = T(1);
      std::copy(from + j + 1, from + b.rows, to + j + 1);
    }
    const auto w = static_cast<int>(b.width), rows = static_cast<int>(b.rows);
    gemm_columns<T>(113, w, w, rows, T(1), b.vectors, rows, b.vectors, rows, T(0), b.factor, w);
    finish_factor(b, tau + b.row);
  }
  // The factor contains V^H V. Column j becomes -tau T (V^H v_j), with T of the columns before it, and tau on
  // the diagonal.
  static void finish_factor(const Block& b, const T* tau) {
    for (int64_t j = 0; j < b.width; ++j) {
      T* column = b.factor + j * b.width;
      for (int64_t i = 0; i < j; ++i) {
        T sum(0);
        for (int64_t l = i; l < j; ++l) sum += b.factor[l * b.width + i] * column[l];
        column[i] = -tau[j] * sum;
      }
      column[j] = tau[j];
      std::fill(column + j + 1, column + b.width, T(0));
    }
  }
  void apply_all(T* columns, int64_t n, int64_t ld) const {
    const Space<T> both(checked::mul(2 * width, n, "a workspace"));
    const auto k = static_cast<int>(n), stride = static_cast<int>(ld);
    for (int64_t number = blocks(); number-- > 0;) {
      const Block b = block(number);
      T *x = columns + b.row, *first = both.get(), *second = first + b.width * n;
      const auto w = static_cast<int>(b.width), rows = static_cast<int>(b.rows);
      gemm_columns<T>(113, w, k, rows, T(1), b.vectors, rows, x, stride, T(0), first, w);
      gemm_columns<T>(111, w, k, w, T(1), b.factor, w, first, w, T(0), second, w);
      gemm_columns<T>(111, rows, k, w, T(-1), b.vectors, rows, second, w, T(1), x, stride);
    }
  }

  int64_t rows_, count_;
  Space<T> vectors_, factors_;
};

}  // namespace arr::host
