// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of a symmetric tridiagonal matrix, by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "host/linalg/reflections.h"

namespace arr::host {

// Divide and conquer: Cuppen, "A divide and conquer method for the symmetric tridiagonal eigenproblem",
// Numer. Math. 36 (1981), 177-195, with the vectors of Gu and Eisenstat, "A divide-and-conquer algorithm for
// the symmetric tridiagonal eigenproblem", SIAM J. Matrix Anal. Appl. 16 (1995), 172-191. Deflation and the
// roots are LAPACK's laed2 and laed4; its stedc takes one root, one half and one part after the other, here
// threads share them. Calls of BLAS are made by several threads at once: the caller holds a OneThread.
template <class Real>
class Tridiagonal {
 public:
  // d: the n diagonal elements, replaced by the eigenvalues in ascending order. e: the n - 1 elements beside
  // the diagonal, destroyed. z: n x n, column-major, receives the eigenvectors.
  Tridiagonal(int64_t n, Real* d, Real* e, Real* z)
      : n_(n), d_(d), e_(e), z_(z), f_(lapack<Real>()), order_(n) {}
  // Returns 0, or LAPACK's info if it failed.
  int solve() {
    Real most = 0;
    for (int64_t i = 0; i < n_; ++i)
      most = std::max({most, std::abs(d_[i]), i + 1 < n_ ? std::abs(e_[i]) : Real(0)});
    if (n_ <= leaf || most == 0 || splits()) return by_stedc();
    const Real scale = std::scalbn(Real(1), -std::ilogb(most));  // a power of 2, so scaling does not round
    std::for_each(d_, d_ + n_, [&](Real& x) { x *= scale; });
    std::for_each(e_, e_ + n_ - 1, [&](Real& x) { x *= scale; });
    tear(0, n_);
    std::fill(z_, z_ + n_ * n_, Real(0));
    solve_part(0, n_);
    if (bad_ == 0) sort();
    std::for_each(d_, d_ + n_, [&](Real& x) { x /= scale; });
    return bad_;
  }

 private:
  static constexpr int64_t leaf = 32;
  // A part of the matrix between two cuts, or two parts being joined.
  struct Part {
    int64_t n, cut;
    Real *d, *z;
    int* order;
  };
  // The result of laed2: `k` roots remain to be found; `counts` says from which halves the columns of
  // `halves` are.
  struct Deflated {
    explicit Deflated(int64_t n)
        : poles(2 * n),
          weights(poles.get() + n),
          halves(n * n),
          places(3 * n),
          kinds(std::max<int64_t>(n, 4)) {}
    int k = 0;
    Real rho = 0;
    Space<Real> poles;
    Real* weights;
    Space<Real> halves;
    Space<int> places, kinds;
  };

  // LAPACK starts again at each block if the matrix is block-diagonal.
  [[nodiscard]] bool splits() const {
    constexpr Real eps = std::numeric_limits<Real>::epsilon() / 2;
    for (int64_t i = 0; i + 1 < n_; ++i) {
      if (std::abs(e_[i]) <= eps * std::sqrt(std::abs(d_[i])) * std::sqrt(std::abs(d_[i + 1]))) return true;
    }
    return false;
  }
  int by_stedc() const {
    const auto n = static_cast<int>(n_);
    const int size = workspace(static_cast<double>(1 + 4 * n_ + n_ * n_));
    const int counts = workspace(static_cast<double>(3 + 5 * n_));
    const Space<Real> work(size);
    const Space<int> integers(counts);
    int info = 0;
    f_.stedc("I", &n, d_, e_, z_, &n, work.get(), &size, integers.get(), &counts, &info, 1);
    return info;
  }

  // Halves the matrix until the parts are leaves. Joining adds the elements that a cut removes.
  void tear(int64_t first, int64_t n) {
    if (n <= leaf) return;
    const int64_t half = n / 2, cut = first + half;
    const Real size = std::abs(e_[cut - 1]);
    d_[cut - 1] -= size;
    d_[cut] -= size;
    tear(first, half);
    tear(cut, n - half);
  }
  void failed(int info) {
    if (info != 0) bad_ = info;
  }
  void solve_part(int64_t first, int64_t n) {
    const Part p{n, n / 2, d_ + first, z_ + first * n_ + first, order_.get() + first};
    if (n <= leaf) return solve_leaf(p, e_ + first);
    auto half = [&](int64_t i) { i == 0 ? solve_part(first, p.cut) : solve_part(first + p.cut, n - p.cut); };
    parallel_ranges(2, n > serial ? 1 : 2, [&](int64_t from, int64_t to) {
      for (; from < to; ++from) half(from);
    });
    if (bad_ == 0) join(p, e_[first + p.cut - 1]);
  }
  void solve_leaf(const Part& p, Real* e) {
    const auto n = static_cast<int>(p.n), ld = static_cast<int>(n_);
    const Space<Real> work(2 * p.n);
    int info = 0;
    f_.steqr("I", &n, p.d, e, p.z, &ld, work.get(), &info, 1);
    failed(info);
    std::iota(p.order, p.order + p.n, 1);
  }

  void join(const Part& p, Real rho) {
    Deflated w(p.n);
    deflate(p, rho, &w);
    if (bad_ != 0) return;
    if (w.k == 0) return std::iota(p.order, p.order + p.n, 1);
    find_roots(p, w);
    if (bad_ != 0) return;
    if (w.k > 2) correct_weights(p, w);
    make_vectors(p, w);
    multiply(p, w);
    const int up = 1, down = -1, rest = static_cast<int>(p.n) - w.k;
    f_.lamrg(&w.k, &rest, p.d, &up, &down, p.order);
  }
  void deflate(const Part& p, Real rho, Deflated* w) {
    const auto n = static_cast<int>(p.n), cut = static_cast<int>(p.cut), ld = static_cast<int>(n_);
    const Space<Real> row(p.n);
    for (int64_t j = 0; j < p.n; ++j) row.get()[j] = p.z[j * n_ + (j < p.cut ? p.cut - 1 : p.cut)];
    int info = 0, *places = w->places.get();
    w->rho = rho;
    f_.laed2(&w->k, &n, &cut, p.d, p.z, &ld, p.order, &w->rho, row.get(), w->poles.get(), w->weights,
             w->halves.get(), places, places + p.n, places + 2 * p.n, w->kinds.get(), &info);
    failed(info);
  }
  // Finds the roots, and the distances of root j from all poles in column j of z.
  void find_roots(const Part& p, const Deflated& w) {
    parallel_ranges(w.k, grain(w.k), [&](int64_t first, int64_t last) {
      for (int64_t j = first; j < last; ++j) {
        const auto number = static_cast<int>(j + 1);
        int info = 0;
        f_.laed4(&w.k, &number, w.poles.get(), w.weights, p.z + j * n_, &w.rho, p.d + j, &info);
        failed(info);
      }
    });
  }
  // The weights for which the computed roots are exact, so that the vectors are orthogonal.
  void correct_weights(const Part& p, const Deflated& w) {
    const Real* poles = w.poles.get();
    parallel_ranges(w.k, std::max<int64_t>(grain(w.k), 8), [&](int64_t first, int64_t last) {
      std::vector<Real> product(static_cast<size_t>(last - first));
      for (int64_t i = first; i < last; ++i) product[static_cast<size_t>(i - first)] = p.z[i * n_ + i];
      for (int64_t j = 0; j < w.k; ++j) {
        const Real *away = p.z + j * n_ + first, *mine = poles + first, pole = poles[j];
        auto scale = [&](int64_t i, int64_t end) {
          for (; i < end; ++i) product[static_cast<size_t>(i)] *= away[i] / (mine[i] - pole);
        };
        const int64_t own = std::clamp(j, first, last) - first;
        scale(0, own);
        scale(j < first ? 0 : own + 1, last - first);
      }
      for (int64_t i = first; i < last; ++i) {
        w.weights[i] = std::copysign(std::sqrt(-product[static_cast<size_t>(i - first)]), w.weights[i]);
      }
    });
  }
  // Column j of z becomes vector j in terms of the columns of the halves, in the order of laed2.
  void make_vectors(const Part& p, const Deflated& w) {
    const int* places = w.places.get() + p.n;
    parallel_ranges(w.k, grain(w.k), [&](int64_t first, int64_t last) {
      std::vector<Real> s(static_cast<size_t>(w.k));
      for (int64_t j = first; j < last; ++j) {
        Real *z = p.z + j * n_, sum = 0;
        for (int i = 0; i < w.k; ++i) {
          const Real x = w.k > 2 ? w.weights[i] / z[i] : z[i];
          s[static_cast<size_t>(i)] = x;
          sum += x * x;
        }
        const Real size = w.k > 2 ? std::sqrt(sum) : 1;
        for (int i = 0; i < w.k; ++i) z[i] = s[static_cast<size_t>(places[i] - 1)] / size;
      }
    });
  }
  void multiply(const Part& p, const Deflated& w) {
    const int* kinds = w.kinds.get();
    const int upper = kinds[0] + kinds[1], lower = kinds[1] + kinds[2];
    const auto cut = static_cast<int>(p.cut), below = static_cast<int>(p.n) - cut, ld = static_cast<int>(n_);
    fixed_pieces(w.k, [&](int64_t first, int64_t last) {
      const auto columns = static_cast<int>(last - first);
      const Space<Real> parts(static_cast<int64_t>(w.k) * columns);
      for (int64_t j = 0; j < columns; ++j) {
        const Real* z = p.z + (first + j) * n_;
        std::copy(z, z + w.k, parts.get() + j * w.k);
      }
      auto half = [&](const Real* vectors, int rows, int inner, const Real* of, Real* to) {
        if (inner != 0) {
          gemm_columns<Real>(111, rows, columns, inner, 1, vectors, rows, of, w.k, 0, to, ld);
          return;
        }
        for (int64_t j = 0; j < columns; ++j) std::fill(to + j * n_, to + j * n_ + rows, Real(0));
      };
      half(w.halves.get(), cut, upper, parts.get(), p.z + first * n_);
      half(w.halves.get() + p.cut * upper, below, lower, parts.get() + kinds[0], p.z + first * n_ + cut);
    });
  }

  // The order of the roots is known, except that very close roots may be computed in another order.
  void sort() {
    int* order = order_.get();
    for (int64_t i = 1; i < n_; ++i) {
      for (int64_t j = i; j > 0 && d_[order[j] - 1] < d_[order[j - 1] - 1]; --j)
        std::swap(order[j], order[j - 1]);
    }
    const Space<Real> d(n_), z(n_ * n_);
    parallel_ranges(n_, grain(n_), [&](int64_t first, int64_t last) {
      for (int64_t j = first; j < last; ++j) {
        const int64_t from = order[j] - 1;
        d.get()[j] = d_[from];
        std::copy(z_ + from * n_, z_ + (from + 1) * n_, z.get() + j * n_);
      }
    });
    std::copy(d.get(), d.get() + n_, d_);
    parallel_ranges(n_, grain(n_), [&](int64_t first, int64_t last) {
      std::copy(z.get() + first * n_, z.get() + last * n_, z_ + first * n_);
    });
  }
  // The number of columns of n elements that is worth a thread.
  static int64_t grain(int64_t n) {
    return std::max<int64_t>(1, serial * serial / std::max<int64_t>(n, 1) / 2);
  }
  static constexpr int64_t serial = 96;

  int64_t n_;
  Real *d_, *e_, *z_;
  const Lapack<Real>& f_;
  Space<int> order_;
  std::atomic<int> bad_{0};
};

}  // namespace arr::host
