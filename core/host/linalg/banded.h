// SPDX-License-Identifier: MIT
// Equations whose matrices are banded, by LAPACK's gbsv and pbsv.
#pragma once

#include <algorithm>

#include "backend/linalg.h"
#include "host/linalg/linalg.h"
#include "host/linalg/matrix.h"

namespace arr::host {

// Systems by LU factors with partial pivoting. LAPACK has `below` more rows above the diagonals, for those
// that exchanges of rows fill.
template <class T>
class Banded : Job<T> {
 public:
  using typename Job<T>::Type;
  explicit Banded(const LinalgCall& call)
      : Job<T>(call),
        ld_(blas_size(call.m + call.columns)),
        diagonals_(this->padded(call.m * call.n)),
        factors_(this->padded(ld_ * call.n)),
        x_(this->output(call.n * call.k)),
        pivots_(call.n) {}
  void run(int64_t i) {
    x_.write(this->x(i, c.n * c.k), [&](T* b) {
      this->load_a(i, diagonals_.get());
      this->load_b(i, b);
      for (int64_t j = 0; j < c.n; ++j) {
        std::copy_n(diagonals_.get() + j * c.m, c.m, factors_.get() + j * ld_ + c.columns);
      }
      const int below = e.columns, above = e.m - 1 - below;
      f.gbsv(&e.n, &below, &above, &e.k, factors_.get(), &ld_, pivots_.get(), b, &e.n, c.info + i);
    });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  int ld_;
  Space<T> diagonals_, factors_;
  Output<T> x_;
  Space<int> pivots_;
};

// Positive definite systems by Cholesky factors.
template <class T>
class BandedCholesky : Job<T> {
 public:
  using typename Job<T>::Type;
  explicit BandedCholesky(const LinalgCall& call)
      : Job<T>(call), factors_(this->padded(call.m * call.n)), x_(this->output(call.n * call.k)) {}
  void run(int64_t i) {
    x_.write(this->x(i, c.n * c.k), [&](T* b) {
      this->load_a(i, factors_.get());
      this->load_b(i, b);
      const int diagonals = e.m - 1;
      const char uplo = this->uplo();
      f.pbsv(&uplo, &e.n, &diagonals, &e.k, factors_.get(), &e.m, b, &e.n, c.info + i, 1);
    });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  Space<T> factors_;
  Output<T> x_;
};

}  // namespace arr::host
