// SPDX-License-Identifier: MIT
// The generalized minimal residual method. The vectors of a cycle are made on the device; the host reads
// their products, and solves the small least-squares problem.
#include <algorithm>
#include <cmath>

#include "expr/op_numbers.h"
#include "ops/iterative/basis.h"
#include "ops/iterative/solvers.h"

namespace arr {

namespace {

// The least-squares problem of a cycle: the columns of a matrix with one row below its diagonal, made
// triangular by rotations.
class Hessenberg {
 public:
  explicit Hessenberg(double beta) : right_{beta} {}
  // Adds a column of size() + 2 numbers, in which those up to `zero` are 0. Returns the norm of the residual.
  double add(std::vector<Complex> h, double zero) {
    const size_t k = columns_.size();
    for (size_t i = 0; i < k; ++i) {
      const auto [c, s] = rotations_[i];
      const Complex upper = h[i], lower = h[i + 1];
      h[i] = c * upper + s * lower;
      h[i + 1] = -std::conj(s) * upper + c * lower;
    }
    if (h[k + 1] == 0.0 && std::abs(h[k]) <= zero) h[k] = 0;
    const double f = std::abs(h[k]), g = std::abs(h[k + 1]), size = std::hypot(f, g);
    Rotation r{1, 0};
    if (f == 0 && g != 0) r = {0, std::conj(h[k + 1]) / g};
    if (f != 0 && g != 0) r = {f / size, h[k] / f * std::conj(h[k + 1]) / size};
    h[k] = r.c * h[k] + r.s * h[k + 1];
    h.resize(k + 1);
    rotations_.push_back(r);
    right_.push_back(-std::conj(r.s) * right_[k]);
    right_[k] *= r.c;
    columns_.push_back(std::move(h));
    return std::abs(right_.back());
  }
  [[nodiscard]] size_t size() const { return columns_.size(); }
  // The solution. Where the matrix is singular, elements are 0.
  [[nodiscard]] std::vector<Complex> solve() const {
    std::vector<Complex> y(right_.begin(), right_.end() - 1);
    for (size_t k = y.size(); k-- > 0;) {
      y[k] = columns_[k][k] == 0.0 ? 0 : y[k] / columns_[k][k];
      for (size_t i = 0; i < k; ++i) y[i] -= y[k] * columns_[k][i];
    }
    return y;
  }

 private:
  struct Rotation {
    double c;
    Complex s;
  };
  std::vector<std::vector<Complex>> columns_;
  std::vector<Rotation> rotations_;
  std::vector<Complex> right_;
};

// The products of a vector of the cycle that the host has not read: its projections, its size before and
// after.
struct Column {
  Ref<Array> h, before, after;
};

enum class End { cycle, tolerance, breakdown, stopped, infinite };

// Cycles, in which the last directions may be vectors of former ones instead of those of the basis.
class Cycles {
 public:
  // length: the number of directions from the basis; kept: the largest number of others.
  Cycles(const System& system, int64_t length, int64_t kept)
      : s(system), basis_(empty_basis(s, length + kept + 1, s.n)), length_(length), kept_(kept) {}

  // Improves x by a cycle from the preconditioned residual `start`.
  End improve(const Array& x, const Array& start, double tolerance) {
    const Ref<Array> beta = s.norm(start), zero = s.number(0);
    write_unit(s, *row(0), start, *beta, *zero);
    Hessenberg h(Vectors::read(*beta));
    End end = End::cycle;
    std::vector<Column> unread;
    const int64_t all = length_ + static_cast<int64_t>(others_.size());
    for (int64_t k = 0; k < all && end == End::cycle; ++k) {
      const Ref<Array> z = k < length_ ? row(k) : others_[static_cast<size_t>(k - length_)];
      const Ref<Array> w = s.precondition(*s.times(*z));
      const Orthogonal o = orthogonalize(s, *slice_axis(*basis_, 0, 0, k + 1), *w);
      Column c{o.h, s.norm(*w), s.norm(*o.w)};
      write_unit(s, *row(k + 1), *o.w, *c.after, *c.before);
      unread.push_back(std::move(c));
      if ((k + 1) % s.check_every == 0 || k + 1 == all) end = read(&unread, &h, tolerance);
    }
    if (end == End::infinite || h.size() == 0) return end;
    move(x, h.solve());
    return end;
  }

  int64_t products = 0;
  double residual = 0;  // of the preconditioned equations

 private:
  [[nodiscard]] Ref<Array> row(int64_t k) const { return index_axis(*basis_, 0, k); }

  // Adds the directions times y to x, and keeps the sum as a direction.
  void move(const Array& x, std::vector<Complex> y) {
    const auto from_basis = static_cast<size_t>(length_);
    const std::vector<Complex> rest(y.begin() + static_cast<std::ptrdiff_t>(std::min(from_basis, y.size())),
                                    y.end());
    y.resize(std::min(from_basis, y.size()));
    Ref<Array> dx =
        combination(s, *write_all(s, y), *slice_axis(*basis_, 0, 0, static_cast<int64_t>(y.size())));
    for (size_t i = 0; i < rest.size(); ++i) {
      const Ref<Array> factor = index_axis(*write_all(s, {rest[i]}), 0, 0);
      dx = s.map({dx.get(), others_[i].get(), factor.get()}, [](ProgramBuilder& b, const int32_t* in) {
        return b.op(op::add, in[0], b.op(op::multiply, in[2], in[1]));
      });
    }
    s.update({&x}, {&x, dx.get()},
             [](ProgramBuilder& b, const int32_t* in) { return std::array{b.op(op::add, in[0], in[1])}; });
    if (kept_ == 0) return;
    const Ref<Array> unit = s.empty(s.n);
    write_unit(s, *unit, *dx, *s.norm(*dx), *s.number(0));
    others_.push_back(unit);
    if (static_cast<int64_t>(others_.size()) > kept_) others_.erase(others_.begin());
  }

  End read(std::vector<Column>* unread, Hessenberg* to, double tolerance) {
    const double eps = epsilon(s.real);
    for (const Column& c : *unread) {
      std::vector<Complex> h = read_all(*c.h, s.stream);
      const double before = Vectors::read(*c.before), after = Vectors::read(*c.after);
      if (!std::isfinite(before) || !std::isfinite(after)) return End::infinite;
      const bool breakdown = after <= eps * before;
      h.emplace_back(breakdown ? 0 : after);
      residual = to->add(std::move(h), 4 * eps * before);
      ++products;
      if (products % s.check_every == 0 && s.stopped(s.options.callback, products, residual))
        return End::stopped;
      if (breakdown) return End::breakdown;
      if (residual <= tolerance) return End::tolerance;
    }
    unread->clear();
    return End::cycle;
  }

  const System& s;
  Ref<Array> basis_;
  int64_t length_, kept_;
  std::vector<Ref<Array>> others_;
};

// Cycles until the residual is small. first: the tolerance of the first cycle.
Solved solve_by(Cycles* method, const System& s, int64_t maxiter, double first) {
  const double eps = epsilon(s.real);
  const Ref<Array> x = s.start();
  Ref<Array> r = s.options.x0 == nullptr ? s.b : s.residual(*x);
  double norm = Vectors::read(*s.norm(*r));
  // The tolerance of a cycle becomes smaller if the residual that it bounds is smaller than the true one.
  double factor = 1, inner = first;
  End end = End::cycle;
  int64_t cycles = 0;
  while (norm > s.tolerance && cycles < maxiter && (end == End::cycle || end == End::tolerance)) {
    end = method->improve(*x, *s.precondition(*r), inner);
    ++cycles;
    r = s.residual(*x);
    norm = Vectors::read(*s.norm(*r));
    factor = end == End::tolerance ? std::max(eps, 0.25 * factor) : std::min(1.0, 1.5 * factor);
    inner = method->residual * std::min(factor, s.tolerance / norm);
    if (!std::isfinite(norm)) end = End::infinite;
  }
  Solved out{x, 0, method->products, norm};
  if (!(norm <= s.tolerance)) out.info = end == End::infinite || end == End::breakdown ? -1 : cycles;
  return out;
}

}  // namespace

Solved solve_gmres(const LinearOperator& a, const Array& right, const SolveOptions& options, Stream* stream) {
  const System s(a, right, options, stream);
  if (s.trivial()) return s.zero();
  Cycles method(s, std::min(options.restart == 0 ? 20 : options.restart, s.whole), 0);
  const double first = Vectors::read(*s.norm(*s.precondition(*s.b))) * std::min(1.0, s.tolerance / s.b_norm);
  return solve_by(&method, s, options.maxiter >= 0 ? options.maxiter : 10 * s.whole, first);
}

Solved solve_lgmres(const LinearOperator& a, const Array& right, const SolveOptions& options,
                    Stream* stream) {
  const System s(a, right, options, stream);
  if (s.trivial()) return s.zero();
  Cycles method(s, std::min(options.restart == 0 ? 30 : options.restart, s.whole), options.augment);
  const double first = Vectors::read(*s.norm(*s.precondition(*s.b))) * std::min(1.0, s.tolerance / s.b_norm);
  return solve_by(&method, s, options.maxiter >= 0 ? options.maxiter : 1000, first);
}

}  // namespace arr
