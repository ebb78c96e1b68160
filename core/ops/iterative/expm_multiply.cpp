// SPDX-License-Identifier: MIT
// The exponential of an operator times a matrix, by Taylor polynomials of a part of the time (A. H. Al-Mohy,
// N. J. Higham, Computing the action of the matrix exponential, with an application to exponential
// integrators, SIAM J. Sci. Comput. 33, 2011).
#include <cmath>
#include <map>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/iterative/basis.h"
#include "ops/iterative/operator_functions.h"

namespace arr {

namespace {

// The norm up to which a polynomial of a degree has errors of the unit roundoff of float64: tables A.3 of
// Higham and Al-Mohy, Computing matrix functions, Acta Numerica 19, 2010, and 3.1 of the paper.
struct Bound {
  int64_t degree;
  double norm;
};
constexpr Bound bounds[] = {
    {1, 2.29e-16}, {2, 2.58e-8},  {3, 1.39e-5},  {4, 3.40e-4},  {5, 2.40e-3},  {6, 9.07e-3},  {7, 2.38e-2},
    {8, 5.00e-2},  {9, 8.96e-2},  {10, 1.44e-1}, {11, 2.14e-1}, {12, 3.00e-1}, {13, 4.00e-1}, {14, 5.14e-1},
    {15, 6.41e-1}, {16, 7.81e-1}, {17, 9.31e-1}, {18, 1.09},    {19, 1.26},    {20, 1.44},    {21, 1.62},
    {22, 1.82},    {23, 2.01},    {24, 2.22},    {25, 2.43},    {26, 2.64},    {27, 2.86},    {28, 3.08},
    {29, 3.31},    {30, 3.54},    {35, 4.7},     {40, 6.0},     {45, 7.2},     {50, 8.5},     {55, 9.9}};
constexpr int64_t max_degree = 55, max_power = 8;  // the largest p of p (p - 1) <= max_degree + 1

// Polynomials of a degree, one after the other, each for a part of the time.
struct Steps {
  int64_t degree = 0, count = 1;
};

DType type_of(const LinearOperator& a, const Array& b) {
  return promote(solver_type(a.dtype), solver_type(b.dtype));
}

class Exponential : public Vectors {
 public:
  Exponential(const LinearOperator& a, const Array& b, const std::optional<Complex>& trace, Stream* s)
      : Vectors(type_of(a, b), a.device, s),
        a_(a.in_type(dtype, s)),
        columns_(b.layout.ndim == 1 ? 1 : b.layout.shape[1]) {
    const int64_t n = a.extents.rows;
    if (n == 0) return;
    const Ref<Array> diagonal = a_->diagonal(s);
    Complex sum = trace.value_or(0.0);
    if (!trace && diagonal) {
      for (const Complex& z : read_all(*diagonal, s)) sum += z;
    }
    mu_ = sum / static_cast<double>(n);
    if (!is_complex(dtype)) mu_ = mu_.real();
    Input minus;
    minus.scalar = item(*value(-mu_), {});
    shifted_ = linop_sum(*a_, *linop_scaled(*linop_identity(n, dtype, device), minus));
    norm_ = diagonal ? norm_by(*diagonal) : onenormest(*shifted_, 2, 5, s).norm;
    if (!std::isfinite(norm_)) fail(ARR_E_LINALG, "argument a: its norm is not finite");
  }
  // exp(t a) x.
  Ref<Array> times(double t, const Array& x) { return by(steps_for(t), t, x); }
  // exp(t a) b at `num` times, the first one `start`, with `h` between two.
  Ref<Array> sequence(const Array& b, double start, double h, int64_t num);

 private:
  [[nodiscard]] Ref<Array> value(const Complex& z) const { return index_axis(*write_all(*this, {z}), 0, 0); }
  // The 1-norm of a matrix minus mu.
  [[nodiscard]] double norm_by(const Array& diagonal) const {
    const Ref<Array> sums = a_->column_sums(stream), mu = value(mu_), d = as_type(diagonal, dtype, stream);
    const Ref<Array> all = map(
        {as_type(*sums, real, stream).get(), d.get(), mu.get()}, [](ProgramBuilder& b, const int32_t* in) {
          const int32_t less = b.op(op::subtract, in[0], b.op(op::absolute, in[1]));
          return b.op(op::add, less, b.op(op::absolute, b.op(op::subtract, in[1], in[2])));
        });
    return read(*reduce(*reduction_info(reduction::max), *all, axis_mask(1, 0, nullptr), false, {}, stream));
  }
  // The inf-norm; waits.
  [[nodiscard]] double size(const Array& x) const {
    if (x.layout.size() == 0) return 0;
    Ref<Array> sizes =
        map({&x}, [](ProgramBuilder& b, const int32_t* in) { return b.op(op::absolute, in[0]); });
    if (sizes->layout.ndim == 2)
      sizes = reduce(*reduction_info(reduction::sum), *sizes, 2, false, {}, stream);
    return read(
        *reduce(*reduction_info(reduction::max), *sizes, axis_mask(1, 0, nullptr), false, {}, stream));
  }
  // by (a - mu) x
  [[nodiscard]] Ref<Array> product(const Array& x, double by) const {
    const Ref<Array> y = as_type(*a_->times(plain_mode, x, stream), dtype, stream), mu = value(mu_),
                     c = number(by, dtype);
    return map({y.get(), &x, mu.get(), c.get()}, [](ProgramBuilder& b, const int32_t* in) {
      return arr::times(b, in[3], b.op(op::subtract, in[0], arr::times(b, in[2], in[1])));
    });
  }
  [[nodiscard]] Ref<Array> plus(const Array& x, const Array& y, double by) const {
    return map({&x, &y, number(by, dtype).get()}, [](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::add, in[0], arr::times(b, in[2], in[1]));
    });
  }
  [[nodiscard]] Ref<Array> scaled(const Array& x, const Complex& by) const {
    return map({&x, value(by).get()},
               [](ProgramBuilder& b, const int32_t* in) { return arr::times(b, in[0], in[1]); });
  }
  double root(int64_t p);
  Steps steps_for(double t);
  Ref<Array> by(const Steps& steps, double t, const Array& x);

  Ref<LinearOperator> a_, shifted_;
  int64_t columns_;
  Complex mu_;
  double norm_ = 0;
  std::map<int64_t, double> roots_;
};

// The p-th root of the norm of the p-th power.
double Exponential::root(int64_t p) {
  const auto known = roots_.find(p);
  if (known != roots_.end()) return known->second;
  const double norm = onenormest(*linop_power(*shifted_, p), 2, 5, stream).norm;
  return roots_[p] = std::pow(norm, 1.0 / static_cast<double>(p));
}

// The cheapest choice, code fragment 3.1. Estimates of powers cost products too: condition 3.13.
Steps Exponential::steps_for(double t) {
  const double norm = std::abs(t) * norm_;
  if (norm == 0) return {};
  Steps best;
  const auto offer = [&](int64_t degree, double count) {
    if (!(count <= 1e9)) return;  // nan too
    const auto parts = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(count)));
    if (best.degree == 0 || degree * parts < best.degree * best.count) best = {degree, parts};
  };
  const double cheap = 2.0 * 2 * max_power * (max_power + 3) * bounds[std::size(bounds) - 1].norm /
                       static_cast<double>(std::max<int64_t>(columns_, 1) * max_degree);
  const bool plain = norm <= cheap || !a_->has_adjoint();
  for (const Bound& b : bounds) {
    if (plain) offer(b.degree, norm / b.norm);
    for (int64_t p = 2; !plain && p <= max_power && p * (p - 1) - 1 <= b.degree; ++p) {
      offer(b.degree, std::abs(t) * std::max(root(p), root(p + 1)) / b.norm);
    }
  }
  if (best.degree == 0) fail(ARR_E_LINALG, "argument a: its norm times the time is ", norm, ", too large");
  return best;
}

Ref<Array> Exponential::by(const Steps& steps, double t, const Array& x) {
  const double tolerance = epsilon(real) / 2, part = t / static_cast<double>(steps.count);
  const Complex factor = std::exp(part * mu_);
  Ref<Array> sum = x.share();
  for (int64_t i = 0; i < steps.count; ++i) {
    Ref<Array> term = sum;
    double before = size(*term);
    for (int64_t j = 1; j <= steps.degree; ++j) {
      term = product(*term, part / static_cast<double>(j));
      sum = plus(*sum, *term, 1);
      const double now = size(*term);
      if (before + now <= tolerance * size(*sum)) break;
      before = now;
    }
    sum = scaled(*sum, factor);
  }
  return sum;
}

// Algorithm 5.2: the terms of a polynomial serve all times of its part.
Ref<Array> Exponential::sequence(const Array& b, double start, double h, int64_t num) {
  std::vector<int64_t> shape{num};
  shape.insert(shape.end(), b.layout.shape, b.layout.shape + b.layout.ndim);
  Ref<Array> out = arr::empty(dtype, shape, Order::C, device, stream);
  const auto put = [&](int64_t k, const Array& x) { assign(*index_axis(*out, 0, k), x, stream); };
  Ref<Array> first = times(start, *as_type(b, dtype, stream));
  put(0, *first);
  const int64_t intervals = num - 1;
  const Steps all = steps_for(h * static_cast<double>(intervals));
  const int64_t each = std::max<int64_t>(1, intervals / all.count);
  const Steps alone = each == 1 ? steps_for(h) : all;
  const double tolerance = epsilon(real) / 2;
  for (int64_t done = 0; done < intervals; done += each) {
    if (each == 1) {
      first = by(alone, h, *first);
      put(done + 1, *first);
      continue;
    }
    std::vector<Ref<Array>> terms{first};
    std::vector<double> sizes{size(*first)};
    Ref<Array> last;
    for (int64_t k = 1; k <= std::min(each, intervals - done); ++k) {
      Ref<Array> sum = first;
      double before = sizes[0], power = 1;
      for (int64_t p = 1; p <= all.degree; ++p) {
        const auto at = static_cast<size_t>(p);
        if (terms.size() == at) {
          terms.push_back(product(*terms.back(), h / static_cast<double>(p)));
          sizes.push_back(size(*terms.back()));
        }
        power *= static_cast<double>(k);
        sum = plus(*sum, *terms[at], power);
        const double now = power * sizes[at];
        if (before + now <= tolerance * size(*sum)) break;
        before = now;
      }
      last = scaled(*sum, std::exp(static_cast<double>(k) * h * mu_));
      put(done + k, *last);
    }
    first = last;
  }
  return out;
}

}  // namespace

Ref<Array> expm_multiply(const LinearOperator& a, const Array& b, const ExpmOptions& o, Stream* stream) {
  check_square(a, "a");
  check_undivided(a, "a");
  if (b.layout.ndim != 1 && b.layout.ndim != 2) {
    fail(ARR_E_SHAPE, "argument b: shape ", b.layout.text(), ", expected one or two dimensions");
  }
  if (b.layout.shape[0] != a.extents.rows) {
    fail(ARR_E_SHAPE, "argument b: shape ", b.layout.text(), ", expected ", a.extents.rows, " rows");
  }
  if (b.device() != a.device) {
    fail(ARR_E_ARGUMENT, "the operands are on ", device_text(a.device), " and on ", device_text(b.device()));
  }
  if (o.num != 0 && o.num < 2)
    fail(ARR_E_ARGUMENT, "argument options: num is ", o.num, ", expected 0, or 2 or more");
  if (!std::isfinite(o.start) || !std::isfinite(o.stop)) {
    fail(ARR_E_ARGUMENT, "argument options: start and stop are ", o.start, " and ", o.stop,
         ", expected finite numbers");
  }
  Exponential e(a, b, o.trace, stream);
  if (o.num == 0) return e.times(1, *as_type(b, e.dtype, stream));
  return e.sequence(b, o.start, (o.stop - o.start) / static_cast<double>(o.open ? o.num : o.num - 1), o.num);
}

}  // namespace arr
