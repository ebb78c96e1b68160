// SPDX-License-Identifier: MIT
// Complex Schur forms by LAPACK's gees, and Sylvester's equations of the triangles that they have.
#pragma once

#include "backend/linalg.h"
#include "host/linalg/linalg.h"

namespace arr::host {

template <class T>
class Schur : Job<T> {
 public:
  using typename Job<T>::Type;
  using Real = typename Job<T>::Real;
  explicit Schur(const LinalgCall& call)
      : Job<T>(call),
        t_(this->output(call.n * call.n)),
        q_(this->output(call.n * call.n)),
        values_(call.n),
        rwork_(call.n),
        lwork_(query()),
        work_(this->padded(lwork_)) {}
  void run(int64_t i) {
    const int64_t size = c.n * c.n;
    t_.write(this->x(i, size), [&](T* t) {
      this->load_a(i, t);
      if (!this->finite(i, t, size)) return;
      q_.write(static_cast<T*>(c.left) + i * size,
               [&](T* q) { call(t, q, work_.get(), lwork_, c.info + i); });
    });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  void call(T* t, T* q, T* work, int lwork, int* info) const {
    int none = 0;
    f.gees("V", "N", nullptr, &e.n, t, &e.n, &none, values_.get(), q, &e.n, work, &lwork, rwork_.get(), &none,
           info, 1, 1);
  }
  int query() const {
    T size{}, none{};
    int bad = 0;
    call(&none, &none, &size, -1, &bad);
    return workspace(size);
  }
  Output<T> t_, q_;
  Space<T> values_;
  Space<Real> rwork_;
  int lwork_;
  Space<T> work_;
};

// Column by column: of the column's right side the products with the columns before are subtracted, and the
// triangle with the column's diagonal element added is solved for the rest. The parts are multiplied here,
// because operator* looks for infinities.
template <class T>
class Sylvester : Job<T> {
 public:
  using typename Job<T>::Type;
  explicit Sylvester(const LinalgCall& call) : Job<T>(call), a_(call.m * call.m), b_(call.n * call.n) {}
  void run(int64_t i) {
    T *a = a_.get(), *b = b_.get(), *x = this->x(i, c.m * c.n);
    this->load(c.a, c.m, c.m, i, a);
    this->load(c.b, c.n, c.n, i, b);
    for (int64_t j = 0; j < c.n; ++j) {
      T* column = x + j * c.m;
      for (int64_t k = 0; k < j; ++k) subtract(b[j * c.n + k], x + k * c.m, c.m, column);
      for (int64_t r = c.m; r-- > 0;) {
        const T divisor = a[r * c.m + r] + b[j * c.n + j];
        if (divisor != T(0) || column[r] != T(0)) column[r] /= divisor;
        subtract(column[r], a + r * c.m, r, column);
      }
    }
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  // to -= factor * from
  static void subtract(T factor, const T* from, int64_t n, T* to) {
    using Real = typename Job<T>::Real;
    const Real re = factor.real(), im = factor.imag();
    const auto* x = reinterpret_cast<const Real*>(from);
    auto* y = reinterpret_cast<Real*>(to);
    for (int64_t k = 0; k < 2 * n; k += 2) {
      const Real p = re * x[k] - im * x[k + 1], q = re * x[k + 1] + im * x[k];
      y[k] -= p;
      y[k + 1] -= q;
    }
  }
  Space<T> a_, b_;
};

}  // namespace arr::host
