// SPDX-License-Identifier: MIT
// The iterative kinds of calls (see host/linalg/linalg.h): singular values and eigenvalues. Their methods
// need finite numbers.
#pragma once

#include <algorithm>
#include <optional>

#include "backend/linalg.h"
#include "host/linalg/linalg.h"

namespace arr::host {

template <class T>
class Svd : Job<T> {
 public:
  using typename Job<T>::Type;
  using Real = typename Job<T>::Real;
  explicit Svd(const LinalgCall& call)
      : Job<T>(call),
        job_(!call.vectors ? 'N'
             : call.full   ? 'A'
                           : 'S'),
        rows_(call.full ? e.n : e.min_mn),
        columns_(call.full ? e.m : e.min_mn),
        a_(this->padded(call.m * call.n)),
        left_(this->output(c.vectors ? c.m * columns_ : 0)),
        right_(this->output(c.vectors ? rows_ * c.n : 0)),
        rwork_(Lapack<T>::complex ? rwork_size() : 0),
        iwork_(int64_t{8} * e.min_mn),
        lwork_(query()),
        work_(this->padded(lwork_)) {}
  void run(int64_t i) {
    this->load_a(i, a_.get());
    if (!this->finite(i, a_.get(), c.m * c.n)) return;
    Real* values = static_cast<Real*>(c.values) + i * e.min_mn;
    if (!c.vectors) return call(values, nullptr, nullptr, work_.get(), lwork_, c.info + i);
    left_.write(static_cast<T*>(c.left) + i * c.m * columns_, [&](T* u) {
      right_.write(static_cast<T*>(c.right) + i * rows_ * c.n,
                   [&](T* vt) { call(values, u, vt, work_.get(), lwork_, c.info + i); });
    });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  void call(Real* s, T* u, T* vt, T* work, int lwork, int* info) const {
    if constexpr (Lapack<T>::complex) {
      f.gesdd(&job_, &e.m, &e.n, a_.get(), &e.m, s, u, &e.m, vt, &rows_, work, &lwork, rwork_.get(),
              iwork_.get(), info, 1);
    } else {
      f.gesdd(&job_, &e.m, &e.n, a_.get(), &e.m, s, u, &e.m, vt, &rows_, work, &lwork, iwork_.get(), info, 1);
    }
  }
  int query() const {
    T size{}, none{};
    Real value{};
    int bad = 0;
    call(&value, &none, &none, &size, -1, &bad);
    return workspace(size);
  }
  // The size according to zgesdd's documentation.
  [[nodiscard]] int64_t rwork_size() const {
    const int64_t min_mn = e.min_mn, max_mn = std::max(e.m, e.n);
    if (!c.vectors) return 7 * min_mn;
    return min_mn * std::max(5 * min_mn + 7, 2 * max_mn + 2 * min_mn + 1);
  }
  char job_;
  int rows_, columns_;
  Space<T> a_;
  Output<T> left_, right_;
  Space<Real> rwork_;
  Space<int> iwork_;
  int lwork_;
  Space<T> work_;
};

template <class T>
class EighValues : Job<T> {
 public:
  using typename Job<T>::Type;
  using Real = typename Job<T>::Real;
  explicit EighValues(const LinalgCall& call) : Job<T>(call), a_(this->padded(call.n * call.n)) {
    T size{}, none{};
    Real value{}, rsize{};
    int bad = 0;
    this->call(&none, &value, {&size, -1, &rsize, -1, &liwork_, -1}, &bad);
    lwork_ = workspace(size);
    work_.emplace(this->padded(lwork_));
    if constexpr (Lapack<T>::complex) {
      lrwork_ = workspace(rsize);
      rwork_.emplace(lrwork_);
    }
    iwork_.emplace(liwork_);
  }
  void run(int64_t i) {
    this->load_a(i, a_.get());
    if (!this->finite_triangle(i, a_.get(), c.lower)) return;
    const Work all{work_->get(), lwork_, rwork_ ? rwork_->get() : nullptr, lrwork_, iwork_->get(), liwork_};
    call(a_.get(), static_cast<Real*>(c.values) + i * c.n, all, c.info + i);
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  struct Work {
    T* work;
    int lwork;
    Real* rwork;
    int lrwork;
    int* iwork;
    int liwork;
  };
  void call(T* a, Real* w, const Work& s, int* info) const {
    const char uplo = this->uplo();
    if constexpr (Lapack<T>::complex) {
      f.syevd("N", &uplo, &e.n, a, &e.n, w, s.work, &s.lwork, s.rwork, &s.lrwork, s.iwork, &s.liwork, info, 1,
              1);
    } else {
      f.syevd("N", &uplo, &e.n, a, &e.n, w, s.work, &s.lwork, s.iwork, &s.liwork, info, 1, 1);
    }
  }
  int lwork_ = 0, lrwork_ = 0, liwork_ = 0;
  Space<T> a_;
  std::optional<Space<T>> work_;
  std::optional<Space<Real>> rwork_;
  std::optional<Space<int>> iwork_;
};

template <class T>
class Eig : Job<T> {
 public:
  using typename Job<T>::Type;
  using Real = typename Job<T>::Real;
  using Complex = std::complex<Real>;
  explicit Eig(const LinalgCall& call)
      : Job<T>(call),
        job_(call.vectors ? 'V' : 'N'),
        a_(this->padded(call.n * call.n)),
        vectors_(call.vectors ? this->padded(call.n * call.n) : 0),
        parts_(2 * call.n),
        lwork_(query()),
        work_(this->padded(lwork_)) {}
  void run(int64_t i) {
    this->load_a(i, a_.get());
    if (!this->finite(i, a_.get(), c.n * c.n)) return;
    auto* values = static_cast<Complex*>(c.values) + i * c.n;
    auto* to = static_cast<Complex*>(c.x) + i * c.n * c.n;
    call(values, vectors_.get(), work_.get(), lwork_, c.info + i);
    if constexpr (Lapack<T>::complex) {
      if (c.vectors) std::copy_n(vectors_.get(), c.n * c.n, to);
    } else {
      const Real *re = parts_.get(), *im = re + c.n;
      for (int64_t j = 0; j < c.n; ++j) values[j] = {re[j], im[j]};
      if (c.vectors && c.info[i] == 0) unpack(im, to);
    }
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  // values: for complex matrices; those of real matrices go to parts_.
  void call(Complex* values, T* vectors, T* work, int lwork, int* info) const {
    const int one = 1;
    T none{};
    if constexpr (Lapack<T>::complex) {
      f.geev("N", &job_, &e.n, a_.get(), &e.n, values, &none, &one, vectors, &e.n, work, &lwork, parts_.get(),
             info, 1, 1);
    } else {
      f.geev("N", &job_, &e.n, a_.get(), &e.n, parts_.get(), parts_.get() + c.n, &none, &one, vectors, &e.n,
             work, &lwork, info, 1, 1);
    }
  }
  int query() const {
    T size{}, none{};
    Complex value{};
    int bad = 0;
    call(&value, &none, &size, -1, &bad);
    return workspace(size);
  }
  // LAPACK returns the vector of a conjugate pair of eigenvalues as two columns, its real and its imaginary
  // part.
  void unpack(const Real* im, Complex* to) const {
    for (int64_t j = 0; j < c.n; ++j) {
      const T *v = vectors_.get() + j * c.n, *w = v + c.n;
      Complex* z = to + j * c.n;
      if (im[j] == 0) {
        for (int64_t r = 0; r < c.n; ++r) z[r] = {std::real(v[r]), 0};
        continue;
      }
      for (int64_t r = 0; r < c.n; ++r) {
        z[r] = {std::real(v[r]), std::real(w[r])};
        z[c.n + r] = std::conj(z[r]);
      }
      ++j;
    }
  }
  char job_;
  Space<T> a_, vectors_;
  Space<Real> parts_;
  int lwork_;
  Space<T> work_;
};

}  // namespace arr::host
