// SPDX-License-Identifier: MIT
// Polynomials by linear algebra: roots as eigenvalues of the companion matrix, fits by least squares.
#include "base/renaming.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/linalg/least_squares.h"
#include "ops/linalg/matmul.h"
#include "ops/linalg/products.h"
#include "ops/linalg/special_matrices.h"
#include "ops/polynomial/polynomial.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

constexpr int32_t leading = 0;

// The indices of the first and last nonzero coefficient; first > last if all are 0. Waits for the device.
struct Extent {
  int64_t first = 0, last = -1;
};
Extent extent_of(const Array& p, Stream* stream) {
  const Ref<Array> same = compute({&p}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::not_equal, in[0], b.scalar(scalar_of(0.0), true));
  });
  std::vector<uint8_t> set(static_cast<size_t>(p.layout.size()));
  get(*same, Order::C, set.data(), p.layout.size(), stream);
  Extent e{p.layout.size(), -1};
  for (int64_t i = 0; i < p.layout.size(); ++i) {
    if (set[static_cast<size_t>(i)] == 0) continue;
    e.first = std::min(e.first, i);
    e.last = i;
  }
  return e;
}

void check_points(const Array& x, const Array& y, int64_t degree, const Array* weights) {
  if (degree < 0) fail(ARR_E_ARGUMENT, "argument degree: ", degree, " is negative");
  if (x.layout.ndim != 1 || x.layout.shape[0] == 0)
    fail(ARR_E_SHAPE, "argument x: shape ", x.layout.text(), ", expected (n), n at least 1");
  const int64_t n = x.layout.shape[0];
  if (y.layout.ndim < 1 || y.layout.ndim > 2 || y.layout.shape[0] != n)
    fail(ARR_E_SHAPE, "argument y: shape ", y.layout.text(), ", expected (", n, ") or (", n, ", k)");
  if (weights != nullptr && (weights->layout.ndim != 1 || weights->layout.shape[0] != n))
    fail(ARR_E_SHAPE, "argument weights: shape ", weights->layout.text(), ", expected (", n, ")");
}

DType wide_type(DType d) { return is_complex(d) ? DType::complex128_ : DType::float64_; }

// The matrix of powers, with rows multiplied by the weights.
Ref<Array> weighted_powers(const Array& x, int64_t degree, const Array* weights, Stream* stream) {
  const DType d = wide_type(weights == nullptr ? x.dtype : promote(x.dtype, weights->dtype));
  const Ref<Array> at = astype(x, d, Casting::unsafe, Order::C, stream);
  Ref<Array> powers = vander(*at, checked::add(degree, 1, "argument degree"), false, stream);
  if (weights == nullptr) return powers;
  const Ref<Array> w = as_type(*weights, d, stream);
  return apply(op::multiply, {powers.get(), broadcastable_vector(*w, 2, 0).get()}, stream);
}

// The inverse of a^H a, where a's columns were divided by scale, times the variance of each polynomial.
Ref<Array> covariance_of(const Array& a, const Array& scale, const PolynomialFit& fit, Covariance how,
                         int32_t ndim, Stream* stream) {
  const int64_t points = a.layout.shape[0], terms = a.layout.shape[1];
  if (how == Covariance::scaled && points <= terms)
    fail(ARR_E_ARGUMENT, "argument x: ", points, " points, expected more than the ", terms,
         " coefficients for a scaled covariance");
  const auto rank = static_cast<int64_t>(item(*fit.rank, {}).lo);
  if (rank != terms)
    fail(ARR_E_LINALG, "argument x: the powers have rank ", rank, ", expected ", terms, " for a covariance");
  const Ref<Array> inverse = pinv(a, fit.rcond, stream);
  Ref<Array> turned = matrix_transposed(*inverse);
  if (is_complex(turned->dtype)) turned = apply(op::conjugate, {turned.get()}, stream);
  const Ref<Array> product = matmul(*inverse, *turned, stream);
  Ref<Array> base = compute(
      {product.get(), broadcastable_vector(scale, 2, 0).get(), broadcastable_vector(scale, 2, 1).get()},
      stream, [](ProgramBuilder& b, const int32_t* in) {
        return b.op(op::divide, in[0], b.op(op::multiply, in[1], in[2]));
      });
  if (ndim == 2) {
    const int32_t last = -1;
    base = base->view(expand_dims(base->layout, {&last, 1}, base->item()));
  }
  if (how == Covariance::unscaled) return base;
  const Ref<Array>& residuals = fit.residuals;
  const auto left = static_cast<double>(points - terms);
  return compute({base.get(), residuals.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::multiply, in[0], b.op(op::divide, in[1], b.scalar(scalar_of(left), true)));
  });
}

// The fit by the matrix of x and the weights; an error names the argument at fault.
LeastSquares fit_of(const Array& matrix, const Array& right, double rcond, const Array& x,
                    const Array* weights, Stream* stream) {
  try {
    return lstsq(matrix, right, rcond, stream);
  } catch (const Error& e) {
    const Ref<Array> finite = apply(op::isfinite, {&x}, stream);
    const bool of_x =
        weights == nullptr || reduce_item(*reduction_info(reduction::all), *finite, stream).lo == 0;
    throw_renamed(e, {{"b", "y"}, {any_argument, of_x ? "x" : "weights"}});
  }
}

}  // namespace

Ref<Array> roots(const Array& p, Stream* stream) {
  if (p.layout.ndim != 1)
    fail(ARR_E_SHAPE, "argument p: shape ", p.layout.text(), ", expected one dimension");
  const Extent e = extent_of(p, stream);
  const DType complex =
      p.dtype == DType::float32_ || p.dtype == DType::complex64_ ? DType::complex64_ : DType::complex128_;
  // Each trailing zero is a root 0.
  const int64_t zeros = e.last < 0 ? 0 : p.layout.size() - 1 - e.last,
                others = e.last < 0 ? 0 : e.last - e.first;
  const int64_t all = zeros + others;
  Ref<Array> out = full(complex, {&all, 1}, Order::C, convert(scalar_of(0.0), complex), p.device(), stream);
  if (others == 0) return out;
  const Ref<Array> matrix = companion(*slice_axis(p, leading, e.first, e.last + 1), stream);
  const Eigen found = eig(*matrix, false, OnFailure::error, stream);
  assign(*slice_axis(*out, leading, 0, others), *found.values, stream);
  return out;
}

PolynomialFit polyfit(const Array& x, const Array& y, int64_t degree, double rcond, const Array* weights,
                      Covariance covariance, Stream* stream) {
  check_points(x, y, degree, weights);
  const Ref<Array> left = weighted_powers(x, degree, weights, stream);
  Ref<Array> right = astype(y, wide_type(promote(left->dtype, y.dtype)), Casting::unsafe, Order::C, stream);
  if (weights != nullptr) {
    const Ref<Array> w = as_type(*weights, left->dtype, stream);
    right = apply(op::multiply, {right.get(), broadcastable_vector(*w, y.layout.ndim, 0).get()}, stream);
  }
  // Scales columns to norm 1, because powers differ by many orders of magnitude.
  const int32_t rows = 0;
  const Ref<Array> lengths = norm(*left, NormKind::standard, 2, {&rows, 1}, false, stream);
  const Ref<Array> scale = compute({lengths.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t zero = b.scalar(scalar_of(0.0), true), one = b.scalar(scalar_of(1.0), true);
    return b.op(op::where, b.op(op::equal, in[0], zero), one, in[0]);
  });
  const Ref<Array> scaled = apply(op::divide, {left.get(), broadcastable_vector(*scale, 2, 1).get()}, stream);
  PolynomialFit out;
  out.rcond = rcond < 0 ? static_cast<double>(x.layout.shape[0]) * 0x1p-52 : rcond;
  const LeastSquares fit = fit_of(*scaled, *right, out.rcond, x, weights, stream);
  out.coefficients =
      apply(op::divide, {fit.x.get(), broadcastable_vector(*scale, y.layout.ndim, 0).get()}, stream);
  out.residuals = fit.residuals;
  out.rank = fit.rank;
  out.s = fit.s;
  if (covariance != Covariance::none)
    out.covariance = covariance_of(*scaled, *scale, out, covariance, y.layout.ndim, stream);
  return out;
}

}  // namespace arr
