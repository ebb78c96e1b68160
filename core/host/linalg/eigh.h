// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of Hermitian matrices.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "backend/linalg.h"
#include "host/linalg/linalg.h"
#include "host/linalg/reflections.h"

namespace arr::host {

// The steps of LAPACK's syevd, called one by one: the matrix is reduced to a tridiagonal one, whose
// eigenvectors are found by divide and conquer (stedc) and transformed back. The first two are LAPACK's.
// Threads share the last one, for which OpenBLAS uses one thread, or strips too narrow for several.
template <class T>
class Eigh : Job<T> {
 public:
  using typename Job<T>::Type;
  using Real = typename Job<T>::Real;
  explicit Eigh(const LinalgCall& call)
      : Job<T>(call),
        a_(this->padded(call.n * call.n)),
        tau_(call.n),
        off_(call.n),
        real_(Lapack<T>::complex ? call.n * call.n : 0),
        reduce_size_(query_reduce()),
        reduce_(this->padded(reduce_size_)) {}
  void run(int64_t i) {
    T* vectors = this->x(i, c.n * c.n);
    auto* values = static_cast<Real*>(c.values) + i * c.n;
    this->load_a(i, a_.get());
    if (!this->finite_triangle(i, a_.get(), c.lower)) return;
    if (!c.lower) mirror();
    std::optional<OneThread> single;
    const Real factor = scale();
    if (c.n < reduced_together) single.emplace();
    reduce(values, reduce_.get(), reduce_size_, c.info + i);
    if (c.info[i] != 0) return;
    conquer(values, vectors, c.info + i);
    if (c.info[i] != 0) return;
    if (!single) single.emplace();
    // Reflection i of the reduction begins in row i + 1.
    Reflections<T>(a_.get() + 1, c.n, c.n - 1, c.n - 1, tau_.get()).apply(vectors + 1, c.n, c.n);
    if (factor != 1) std::for_each(values, values + c.n, [&](Real& v) { v /= factor; });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  // For smaller matrices BLAS's threads gain nothing in the first two steps, and they busy-wait on cores that
  // the last one needs.
  static constexpr int64_t reduced_together = 1000;

  // Copies the upper triangle to the lower one.
  void mirror() const {
    constexpr int64_t side = 32;  // a square and its mirror image fit into the first-level cache
    T* a = a_.get();
    for (int64_t left = 0; left < c.n; left += side) {
      for (int64_t top = 0; top <= left; top += side) {
        for (int64_t j = left; j < std::min(left + side, c.n); ++j) {
          for (int64_t i = top; i < std::min(top + side, j); ++i) a[i * c.n + j] = conjugate(a[j * c.n + i]);
        }
      }
    }
  }
  static T conjugate(T x) {
    if constexpr (Lapack<T>::complex) {
      return std::conj(x);
    } else {
      return x;
    }
  }
  // Scales numbers whose squares would overflow or underflow, as syevd does. Returns the factor.
  Real scale() const {
    using Limits = std::numeric_limits<Real>;
    const Real min_norm = std::sqrt(Limits::min() / Limits::epsilon());
    Real max_norm = 0;
    for (int64_t j = 0; j < c.n; ++j) {
      const T* column = a_.get() + j * c.n;
      for (int64_t r = j; r < c.n; ++r)
        max_norm = std::max({max_norm, std::abs(std::real(column[r])), std::abs(std::imag(column[r]))});
    }
    if (max_norm == 0 || (max_norm >= min_norm && max_norm <= 1 / min_norm)) return 1;
    const Real factor = (max_norm < min_norm ? min_norm : 1 / min_norm) / max_norm;
    std::for_each(a_.get(), a_.get() + c.n * c.n, [&](T& x) { x *= factor; });
    return factor;
  }
  void reduce(Real* diagonal, T* work, int size, int* info) const {
    f.sytrd("L", &e.n, a_.get(), &e.n, diagonal, off_.get(), tau_.get(), work, &size, info, 1);
  }
  int query_reduce() const {
    T size{};
    Real none{};
    int bad = 0;
    reduce(&none, &size, -1, &bad);
    return workspace(size);
  }
  // The tridiagonal matrix is real, also for a complex matrix.
  void conquer(Real* diagonal, T* vectors, int* info) const {
    Real* z = nullptr;
    if constexpr (Lapack<T>::complex) {
      z = real_.get();
    } else {
      z = vectors;
    }
    const int size = workspace(static_cast<double>(1 + 4 * c.n + c.n * c.n));
    const int counts = workspace(static_cast<double>(3 + 5 * c.n));
    const Space<Real> work(size);
    const Space<int> integers(counts);
    lapack<Real>().stedc("I", &e.n, diagonal, off_.get(), z, &e.n, work.get(), &size, integers.get(), &counts,
                         info, 1);
    if constexpr (Lapack<T>::complex) std::copy(z, z + c.n * c.n, vectors);
  }
  Space<T> a_, tau_;
  Space<Real> off_, real_;
  int reduce_size_;
  Space<T> reduce_;
};

}  // namespace arr::host
