// SPDX-License-Identifier: MIT
// Eigenvalues and vectors of one large Hermitian matrix at a time, by all threads.
#pragma once

#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "host/linalg.h"
#include "host/parallel.h"

namespace arr::host {

// The steps of LAPACK's syevd, taken one by one: the matrix is reduced to three diagonals, whose vectors are
// found by divide and conquer and taken back through the reduction. The last is two fifths of the time, and
// OpenBLAS runs it in strips too narrow for its threads; here threads take columns of the vectors each.
template <class T>
class EighShared : Job<T> {
 public:
  using typename Job<T>::Type;
  using Real = typename Job<T>::Real;
  static bool takes(const LinalgCall& call) {
    return call.vectors && call.n >= smallest && tbb::this_task_arena::max_concurrency() > 1;
  }
  explicit EighShared(const LinalgCall& call)
      : Job<T>(call),
        uplo_(this->uplo()),
        a_(call.n * call.n),
        tau_(call.n),
        off_(call.n),
        real_(Lapack<T>::complex ? call.n * call.n : 0),
        reduce_size_(query_reduce()),
        reduce_(reduce_size_),
        conquer_size_(workspace(static_cast<double>(1 + 4 * call.n + call.n * call.n))),
        conquer_(conquer_size_),
        counts_size_(workspace(static_cast<double>(3 + 5 * call.n))),
        counts_(counts_size_) {}
  void run(int64_t i) {
    T* vectors = this->x(i, c.n * c.n);
    auto* values = static_cast<Real*>(c.values) + i * c.n;
    this->load_a(i, a_.get());
    if (!this->finite(i, a_.get(), c.n * c.n)) return;
    std::optional<OneThread> single;
    auto alone_below = [&](int64_t n) {
      if (!single && c.n < n) single.emplace();
    };
    const Real factor = scale();
    alone_below(reduced_together);
    reduce(values, reduce_.get(), reduce_size_, c.info + i);
    if (c.info[i] != 0) return;
    alone_below(conquered_together);
    conquer(values, vectors, c.info + i);
    if (c.info[i] != 0) return;
    alone_below(INT64_MAX);
    take_back(vectors);
    if (factor != 1) std::for_each(values, values + c.n, [&](Real& v) { v /= factor; });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  static constexpr int64_t smallest = 128, columns_each = 64, most_parts = 8;
  // BLAS's threads gain nothing in the first steps of smaller ones, and wait by turning round and round, on
  // cores that the last step needs.
  static constexpr int64_t reduced_together = 1000, conquered_together = 1500;

  // Brings numbers whose squares would leave their range into it, as syevd does; what they were multiplied
  // with.
  Real scale() const {
    using Limits = std::numeric_limits<Real>;
    const Real least = std::sqrt(Limits::min() / Limits::epsilon());
    Real most = 0;
    for (int64_t j = 0; j < c.n; ++j) {
      const T* column = a_.get() + j * c.n;
      const int64_t first = c.lower ? j : 0, last = c.lower ? c.n : j + 1;
      for (int64_t r = first; r < last; ++r)
        most = std::max({most, std::abs(std::real(column[r])), std::abs(std::imag(column[r]))});
    }
    if (most == 0 || (most >= least && most <= 1 / least)) return 1;
    const Real factor = (most < least ? least : 1 / least) / most;
    std::for_each(a_.get(), a_.get() + c.n * c.n, [&](T& x) { x *= factor; });
    return factor;
  }
  void reduce(Real* diagonal, T* work, int size, int* info) const {
    f.sytrd(&uplo_, &e.n, a_.get(), &e.n, diagonal, off_.get(), tau_.get(), work, &size, info, 1);
  }
  int query_reduce() const {
    T size{};
    Real none{};
    int bad = 0;
    reduce(&none, &size, -1, &bad);
    return workspace(size);
  }
  // The three diagonals are real whatever the matrix was.
  void conquer(Real* diagonal, T* vectors, int* info) const {
    Real* z = nullptr;
    if constexpr (Lapack<T>::complex) {
      z = real_.get();
    } else {
      z = vectors;
    }
    lapack<Real>().stedc("I", &e.n, diagonal, off_.get(), z, &e.n, conquer_.get(), &conquer_size_,
                         counts_.get(), &counts_size_, info, 1);
    if constexpr (Lapack<T>::complex) std::copy(z, z + c.n * c.n, vectors);
  }
  // Through matrices of their own: ormtr writes to the one that it reads, and restores it in the end.
  void take_back(T* vectors) const {
    const int64_t n = c.n;
    const int64_t threads = std::min<int64_t>(tbb::this_task_arena::max_concurrency(), most_parts);
    const int64_t each = std::max(columns_each, (n + threads - 1) / threads), parts = (n + each - 1) / each;
    const Space<T> copies(checked::mul(parts - 1, n * n, "a workspace"));
    auto matrix = [&](int64_t part) { return part == 0 ? a_.get() : copies.get() + (part - 1) * n * n; };
    parallel_ranges(parts - 1, 1, [&](int64_t first, int64_t last) {
      for (int64_t p = first; p < last; ++p) std::copy(a_.get(), a_.get() + n * n, matrix(p + 1));
    });
    parallel_ranges(parts, 1, [&](int64_t first, int64_t last) {
      for (int64_t p = first; p < last; ++p)
        multiply(matrix(p), std::min(each, n - p * each), vectors + p * each * n);
    });
  }
  void multiply(T* a, int64_t count, T* columns) const {
    const auto k = static_cast<int>(count);
    auto call = [&](T* work, int size) {
      int bad = 0;
      f.ormtr("L", &uplo_, "N", &e.n, &k, a, &e.n, tau_.get(), columns, &e.n, work, &size, &bad, 1, 1, 1);
    };
    T size{};
    call(&size, -1);
    const int length = workspace(size);
    const Space<T> work(length);
    call(work.get(), length);
  }

  char uplo_;
  Space<T> a_, tau_;
  Space<Real> off_, real_;
  int reduce_size_;
  Space<T> reduce_;
  int conquer_size_;
  Space<Real> conquer_;
  int counts_size_;
  Space<int> counts_;
};

}  // namespace arr::host
