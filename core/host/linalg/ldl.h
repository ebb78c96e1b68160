// SPDX-License-Identifier: MIT
// Factors L D L' of symmetric and Hermitian matrices by LAPACK's sytrf and hetrf.
#pragma once

#include <algorithm>
#include <numeric>

#include "backend/linalg.h"
#include "host/linalg/linalg.h"

namespace arr::host {

// LAPACK stores L and D in one triangle, and L as if its rows were never exchanged. An upper triangle is a
// lower one with the order of rows and columns reversed, and so are its factors: row() numbers both in the
// order of the steps.
template <class T>
class Ldl : Job<T> {
 public:
  using typename Job<T>::Type;
  explicit Ldl(const LinalgCall& call)
      : Job<T>(call),
        a_(this->padded(call.n * call.n)),
        pivots_(call.n),
        order_(call.n),
        lwork_(query()),
        work_(this->padded(lwork_)) {}
  void run(int64_t i) {
    this->load_a(i, a_.get());
    const char uplo = this->uplo();
    f.sytrf(&uplo, &e.n, a_.get(), &e.n, pivots_.get(), work_.get(), &lwork_, c.info + i, 1);
    c.info[i] = 0;  // a singular D is a result too
    T *lu = this->x(i, c.n * c.n), *d = static_cast<T*>(c.left) + i * c.n * c.n;
    std::fill_n(lu, c.n * c.n, T(0));
    std::fill_n(d, c.n * c.n, T(0));
    for (int64_t k = 0; k < c.n; k += rows(k)) separate(k, lu, d);
    std::iota(order_.get(), order_.get() + c.n, 0);
    for (int64_t k = c.n; k > 0;) {
      k -= paired(k - 1) ? 2 : 1;
      exchange(k, lu);
    }
    for (int64_t k = 0; k < c.n; ++k) c.pivots[i * c.n + row(order_.get()[k])] = static_cast<int32_t>(row(k));
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  [[nodiscard]] int64_t row(int64_t k) const { return c.lower ? k : c.n - 1 - k; }
  // The index of an element in a matrix of this order.
  [[nodiscard]] int64_t at(int64_t i, int64_t j) const { return row(j) * c.n + row(i); }
  // True if the row belongs to a block of two.
  [[nodiscard]] bool paired(int64_t k) const { return pivots_.get()[row(k)] < 0; }
  [[nodiscard]] int64_t rows(int64_t k) const { return paired(k) ? 2 : 1; }

  // Copies the columns of the block that begins at row k.
  void separate(int64_t k, T* lu, T* d) const {
    const T* a = a_.get();
    const int64_t next = k + rows(k);
    for (int64_t j = k; j < next; ++j) {
      lu[at(j, j)] = T(1);
      d[at(j, j)] = a[at(j, j)];
      for (int64_t i = next; i < c.n; ++i) lu[at(i, j)] = a[at(i, j)];
    }
    if (next == k + 1) return;
    const T below = a[at(k + 1, k)];
    d[at(k + 1, k)] = below;
    if constexpr (Lapack<T>::complex) {
      d[at(k, k + 1)] = std::conj(below);
    } else {
      d[at(k, k + 1)] = below;
    }
  }

  // Exchanges rows of the columns from that block on.
  void exchange(int64_t k, T* lu) const {
    const int64_t from = k + rows(k) - 1,
                  pivot = std::abs(static_cast<int64_t>(pivots_.get()[row(from)])) - 1;
    const int64_t with = row(pivot);  // row() is its own inverse
    if (from == with) return;
    for (int64_t j = k; j < c.n; ++j) std::swap(lu[at(from, j)], lu[at(with, j)]);
    std::swap(order_.get()[from], order_.get()[with]);
  }

  int query() const {
    const int ask = -1;
    int bad = 0, pivot = 0;
    T size{}, none{};
    const char uplo = this->uplo();
    f.sytrf(&uplo, &e.n, &none, &e.n, &pivot, &size, &ask, &bad, 1);
    return workspace(size);
  }
  Space<T> a_;
  Space<int> pivots_, order_;
  int lwork_;
  Space<T> work_;
};

}  // namespace arr::host
