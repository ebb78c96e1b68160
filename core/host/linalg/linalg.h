// SPDX-License-Identifier: MIT
// One thread's part of a call of LAPACK, a class per kind of call. It is constructed with its workspaces,
// then run for each matrix. The names are LAPACK's.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "backend/linalg.h"
#include "base/checked.h"
#include "host/device/pool_block.h"
#include "host/libraries/lapack.h"
#include "host/linalg/matrices.h"
#include "host/loops/linalg/small_matrices.h"

namespace arr::host {

// A call's sizes in LAPACK's integer type.
struct Extents {
  explicit Extents(const LinalgCall& c);
  int m, n, k, min_mn, columns;
};

// The size of a workspace from the floating-point number that LAPACK's query returns.
int workspace(double reported);
template <class Real>
int workspace(std::complex<Real> reported) {
  return workspace(static_cast<double>(reported.real()));
}

// Memory of the pool for n elements; n may be 0.
template <class T>
class Space {
 public:
  explicit Space(int64_t n)
      : block_(checked::mul(std::max<int64_t>(n, 1), static_cast<int64_t>(sizeof(T)), "a workspace")) {}
  T* get() const { return reinterpret_cast<T*>(block_.data()); }

 private:
  PoolBlock block_;
};

// Memory that LAPACK writes a result of n elements to.
template <class T>
class Output {
 public:
  // padded: Job::padded(n).
  Output(int64_t n, int64_t padded) : n_(n), space_(Lapack<T>::complex ? padded : 0) {}
  // Calls body(x), after which x's elements are in `to`.
  template <class Body>
  void write(T* to, const Body& body) const {
    if constexpr (Lapack<T>::complex) {
      body(space_.get());
      std::copy_n(space_.get(), n_, to);
    } else {
      body(to);
    }
  }

 private:
  int64_t n_;
  Space<T> space_;
};

// The base of every kind.
template <class T>
class Job {
 public:
  using Type = T;
  using Real = typename Lapack<T>::Real;
  explicit Job(const LinalgCall& call) : c(call), e(call), f(lapack<T>()) {}

 protected:
  void load_a(int64_t i, T* to) const { load(c.a, c.m, c.n, i, to); }
  void load_b(int64_t i, T* to) const { load(c.b, c.n, c.k, i, to); }
  // a itself if it is column-major and contiguous, otherwise a copy in `space`.
  const T* read_a(int64_t i, T* space) const {
    const auto item = static_cast<int64_t>(sizeof(T));
    if ((c.m == 1 || c.a.row == item) && (c.n == 1 || c.a.column == c.m * item)) {
      return reinterpret_cast<const T*>(matrix_at(c, c.a, i));
    }
    load_a(i, space);
    return space;
  }
  // The size of a workspace for n elements. OpenBLAS 0.3.21 (cgemv and zgemv, not transposed) also reads one
  // element past its vector. For a row that is in the next column, so complex matrices that LAPACK works on
  // have an additional column.
  [[nodiscard]] int64_t padded(int64_t n) const {
    if (!Lapack<T>::complex) return n;
    return checked::add(n, std::max({c.m, c.n, c.k, c.columns}), "a workspace");
  }
  [[nodiscard]] Output<T> output(int64_t n) const { return Output<T>(n, padded(n)); }
  T* x(int64_t i, int64_t elements) const { return static_cast<T*>(c.x) + i * elements; }
  int* pivots(int64_t i) const { return c.pivots + i * e.min_mn; }
  char op() const { return static_cast<char>(c.op); }
  char uplo() const { return c.lower ? 'L' : 'U'; }
  // True if all n numbers are finite; else sets info.
  bool finite(int64_t i, const T* data, int64_t n) const {
    const auto* parts = reinterpret_cast<const Real*>(data);
    constexpr int64_t each = sizeof(T) == sizeof(Real) ? 1 : 2;
    Real sum = 0;
    for (int64_t j = 0; j < n * each; ++j) sum += parts[j] * 0;
    if (sum == 0) return true;
    c.info[i] = -1;
    return false;
  }

  // The same for one triangle of a column-major matrix; the other one is not read.
  bool finite_triangle(int64_t i, const T* data, bool lower) const {
    bool good = true;
    for (int64_t j = 0; j < c.n && good; ++j) {
      good = lower ? finite(i, data + j * c.n + j, c.n - j) : finite(i, data + j * c.n, j + 1);
    }
    return good;
  }

  void load(const MatmulCall::Matrix& from, int64_t rows, int64_t cols, int64_t i, T* to) const {
    load_matrix(c.dtype, rows, cols, matrix_at(c, from, i), from.row, from.column,
                reinterpret_cast<char*>(to));
  }

  const LinalgCall& c;
  const Extents e;
  const Lapack<T>& f;
};

template <class T>
class Solve : Job<T> {
 public:
  using typename Job<T>::Type;
  explicit Solve(const LinalgCall& call)
      : Job<T>(call), a_(this->padded(call.n * call.n)), x_(this->output(call.n * call.k)), pivots_(call.n) {}
  void run(int64_t i) {
    x_.write(this->x(i, c.n * c.k), [&](T* b) { solve(i, b); });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  void solve(int64_t i, T* b) const {
    this->load_a(i, a_.get());
    this->load_b(i, b);
    f.getrf(&e.n, &e.n, a_.get(), &e.n, pivots_.get(), c.info + i);
    if (c.info[i] != 0) return;
    int bad = 0;
    const char op = this->op();
    f.getrs(&op, &e.n, &e.k, a_.get(), &e.n, pivots_.get(), b, &e.n, &bad, 1);
  }
  Space<T> a_;
  Output<T> x_;
  Space<int> pivots_;
};

// Small real matrices, as many at once as a vector has lanes: systems of equations, inverses and
// factorizations.
template <class T>
class SmallLu : Job<T> {
 public:
  using typename Job<T>::Type;
  static bool takes(const LinalgCall& call) {
    const int64_t columns = call.kind == LinalgKind::solve ? call.k : call.n;
    return call.m == call.n && call.n <= small_max_order && columns <= small_max_columns && call.count() > 1;
  }
  explicit SmallLu(const LinalgCall& call)
      : Job<T>(call),
        columns_(c.kind == LinalgKind::solve     ? c.k
                 : c.kind == LinalgKind::inverse ? c.n
                                                 : 0),
        width_(c.n + columns_),
        a_(c.n * width_ * lanes) {}
  void run(int64_t first, int64_t last) {
    for (; first < last; first += lanes) run_lanes(first, std::min(last - first, lanes));
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  static constexpr int64_t lanes = small_lanes<T>;
  void run_lanes(int64_t first, int64_t count) {
    // Unused lanes repeat a system.
    for (int64_t l = 0; l < lanes; ++l) put(first + std::min(l, count - 1), a_.get() + l);
    std::array<int32_t, static_cast<size_t>(small_max_order * lanes)> pivots;
    std::array<int32_t, static_cast<size_t>(lanes)> info;
    small_loops<T>().eliminate(c.n, columns_, a_.get(), pivots.data(), info.data());
    for (int64_t l = 0; l < count; ++l) {
      const int64_t i = first + l;
      c.info[i] = info[static_cast<size_t>(l)];
      const T* from = a_.get() + l;
      if (columns_ == 0) {
        get(from, c.n, this->x(i, c.n * c.n));
        for (int64_t k = 0; k < c.n; ++k) this->pivots(i)[k] = pivots[static_cast<size_t>(k * lanes + l)];
      } else {
        get(from + c.n * lanes, columns_, this->x(i, c.n * columns_));
      }
    }
  }
  void put(int64_t i, T* to) const {
    const bool plain = c.op == LinalgOp::none;
    lay(matrix_at(c, c.a, i), plain ? c.a.row : c.a.column, plain ? c.a.column : c.a.row, c.n, to);
    to += c.n * lanes;
    if (c.kind == LinalgKind::solve) lay(matrix_at(c, c.b, i), c.b.row, c.b.column, c.k, to);
    if (c.kind != LinalgKind::inverse) return;
    for (int64_t r = 0; r < c.n; ++r) {
      for (int64_t j = 0; j < c.n; ++j) to[(r * width_ + j) * lanes] = r == j ? T(1) : T(0);
    }
  }
  void lay(const char* from, int64_t row, int64_t column, int64_t columns, T* to) const {
    for (int64_t r = 0; r < c.n; ++r) {
      for (int64_t j = 0; j < columns; ++j) {
        to[(r * width_ + j) * lanes] = *reinterpret_cast<const T*>(from + r * row + j * column);
      }
    }
  }
  void get(const T* from, int64_t columns, T* to) const {
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t r = 0; r < c.n; ++r) *to++ = from[(r * width_ + j) * lanes];
    }
  }
  int64_t columns_, width_;
  Space<T> a_;
};

template <class T>
class Inverse : Job<T> {
 public:
  using typename Job<T>::Type;
  explicit Inverse(const LinalgCall& call)
      : Job<T>(call),
        x_(this->output(call.n * call.n)),
        pivots_(call.n),
        lwork_(query()),
        work_(this->padded(lwork_)) {}
  void run(int64_t i) {
    x_.write(this->x(i, c.n * c.n), [&](T* a) {
      this->load_a(i, a);
      f.getrf(&e.n, &e.n, a, &e.n, pivots_.get(), c.info + i);
      if (c.info[i] == 0) f.getri(&e.n, a, &e.n, pivots_.get(), work_.get(), &lwork_, c.info + i);
    });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  int query() const {
    const int ask = -1;
    int bad = 0;
    T size{}, none{};
    f.getri(&e.n, &none, &e.n, pivots_.get(), &size, &ask, &bad);
    return workspace(size);
  }
  Output<T> x_;
  Space<int> pivots_;
  int lwork_;
  Space<T> work_;
};

template <class T>
class Lu : Job<T> {
 public:
  using typename Job<T>::Type;
  explicit Lu(const LinalgCall& call) : Job<T>(call), x_(this->output(call.m * call.n)) {}
  void run(int64_t i) {
    x_.write(this->x(i, c.m * c.n), [&](T* a) {
      this->load_a(i, a);
      f.getrf(&e.m, &e.n, a, &e.m, this->pivots(i), c.info + i);
    });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  Output<T> x_;
};

template <class T>
class LuSolve : Job<T> {
 public:
  using typename Job<T>::Type;
  explicit LuSolve(const LinalgCall& call)
      : Job<T>(call), a_(call.n * call.n), x_(this->output(call.n * call.k)) {}
  void run(int64_t i) {
    x_.write(this->x(i, c.n * c.k), [&](T* b) {
      this->load_b(i, b);
      const char op = this->op();
      f.getrs(&op, &e.n, &e.k, this->read_a(i, a_.get()), &e.n, this->pivots(i), b, &e.n, c.info + i, 1);
    });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  Space<T> a_;
  Output<T> x_;
};

template <class T>
class Triangular : Job<T> {
 public:
  using typename Job<T>::Type;
  explicit Triangular(const LinalgCall& call)
      : Job<T>(call), a_(call.n * call.n), x_(this->output(call.n * call.k)) {}
  void run(int64_t i) {
    x_.write(this->x(i, c.n * c.k), [&](T* b) {
      this->load_b(i, b);
      int zero = 0;  // ops has checked the arguments
      const char uplo = this->uplo(), op = this->op(), diagonal = c.unit ? 'U' : 'N';
      f.trtrs(&uplo, &op, &diagonal, &e.n, &e.k, this->read_a(i, a_.get()), &e.n, b, &e.n, &zero, 1, 1, 1);
    });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  Space<T> a_;
  Output<T> x_;
};

template <class T>
class Cholesky : Job<T> {
 public:
  using typename Job<T>::Type;
  explicit Cholesky(const LinalgCall& call) : Job<T>(call), x_(this->output(call.n * call.n)) {}
  void run(int64_t i) {
    x_.write(this->x(i, c.n * c.n), [&](T* a) {
      this->load_a(i, a);
      const char uplo = this->uplo();
      f.potrf(&uplo, &e.n, a, &e.n, c.info + i, 1);
    });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  Output<T> x_;
};

template <class T>
class Qr : Job<T> {
 public:
  using typename Job<T>::Type;
  explicit Qr(const LinalgCall& call)
      : Job<T>(call),
        r_(this->output(call.m * call.n)),
        q_(this->output(call.m * call.columns)),
        lwork_(query()),
        work_(this->padded(lwork_)) {}
  void run(int64_t i) {
    T *a = this->x(i, c.m * c.n), *tau = static_cast<T*>(c.values) + i * e.min_mn;
    r_.write(a, [&](T* r) {
      this->load_a(i, r);
      f.geqrf(&e.m, &e.n, r, &e.m, tau, work_.get(), &lwork_, c.info + i);
    });
    if (c.columns == 0) return;
    q_.write(static_cast<T*>(c.left) + i * c.m * c.columns, [&](T* q) {
      std::copy_n(a, c.m * std::min(c.n, c.columns), q);
      f.orgqr(&e.m, &e.columns, &e.min_mn, q, &e.m, tau, work_.get(), &lwork_, c.info + i);
    });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  int query() const {
    const int ask = -1;
    int bad = 0;
    T first{}, second{}, none{};
    f.geqrf(&e.m, &e.n, &none, &e.m, &none, &first, &ask, &bad);
    if (c.columns != 0) f.orgqr(&e.m, &e.columns, &e.min_mn, &none, &e.m, &none, &second, &ask, &bad);
    return workspace(std::max(std::real(first), std::real(second)));
  }
  Output<T> r_, q_;
  int lwork_;
  Space<T> work_;
};

template <class T>
class QrMultiply : Job<T> {
 public:
  using typename Job<T>::Type;
  explicit QrMultiply(const LinalgCall& call)
      : Job<T>(call),
        a_(this->padded(call.m * call.n)),
        x_(this->output(call.m * call.k)),
        lwork_(query()),
        work_(this->padded(lwork_)) {}
  void run(int64_t i) {
    x_.write(this->x(i, c.m * c.k), [&](T* x) {
      this->load(c.b, c.m, c.k, i, x);
      this->load_a(i, a_.get());  // a copy: LAPACK writes the diagonal while it works
      apply(a_.get(), static_cast<const T*>(c.values) + i * e.min_mn, x, work_.get(), lwork_, c.info + i);
    });
  }

 private:
  using Job<T>::c, Job<T>::e, Job<T>::f;
  void apply(const T* a, const T* tau, T* x, T* work, int lwork, int* info) const {
    const char op = c.op == LinalgOp::none ? 'N' : Lapack<T>::complex ? 'C' : 'T';
    f.ormqr("L", &op, &e.m, &e.k, &e.min_mn, a, &e.m, tau, x, &e.m, work, &lwork, info, 1, 1);
  }
  int query() const {
    T size{}, none{};
    int bad = 0;
    apply(&none, &none, &none, &size, -1, &bad);
    return workspace(size);
  }
  Space<T> a_;
  Output<T> x_;
  int lwork_;
  Space<T> work_;
};

}  // namespace arr::host
