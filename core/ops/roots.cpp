// SPDX-License-Identifier: MIT
// Polynomials by linear algebra: roots as eigenvalues of the companion matrix, fits by least squares.
#include "ops/least_squares.h"
#include "ops/polynomial.h"
#include "ops/products.h"
#include "ops/special_matrices.h"

namespace arr {

namespace {

constexpr int32_t leading = 0;

// Where the first and the last coefficient other than 0 is; first > last: there is none. Waits.
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

}  // namespace

Ref<Array> roots(const Array& p, Stream* stream) {
  if (p.layout.ndim != 1)
    fail(ARR_E_SHAPE, "argument p: shape ", p.layout.text(), ", expected one dimension");
  const Extent e = extent_of(p, stream);
  const DType complex =
      p.dtype == DType::float32_ || p.dtype == DType::complex64_ ? DType::complex64_ : DType::complex128_;
  // Each zero at the end is a root 0.
  const int64_t zeros = e.last < 0 ? 0 : p.layout.size() - 1 - e.last,
                others = e.last < 0 ? 0 : e.last - e.first;
  const int64_t all = zeros + others;
  Ref<Array> out = full(complex, {&all, 1}, Order::C, convert(scalar_of(0.0), complex), p.device(), stream);
  if (others == 0) return out;
  const Ref<Array> matrix = companion(*part(p, leading, e.first, e.last + 1), stream);
  const Eigen found = eig(*matrix, false, OnFailure::error, stream);
  assign(*part(*out, leading, 0, others), *found.values, stream);
  return out;
}

Ref<Array> polyfit(const Array& x, const Array& y, int64_t degree, double rcond, const Array* weights,
                   Stream* stream) {
  if (degree < 0) fail(ARR_E_ARGUMENT, "argument degree: ", degree, " is negative");
  if (x.layout.ndim != 1 || x.layout.shape[0] == 0)
    fail(ARR_E_SHAPE, "argument x: shape ", x.layout.text(), ", expected (n), n at least 1");
  const int64_t n = x.layout.shape[0];
  if (y.layout.ndim < 1 || y.layout.ndim > 2 || y.layout.shape[0] != n)
    fail(ARR_E_SHAPE, "argument y: shape ", y.layout.text(), ", expected (", n, ") or (", n, ", k)");
  if (weights != nullptr && (weights->layout.ndim != 1 || weights->layout.shape[0] != n))
    fail(ARR_E_SHAPE, "argument weights: shape ", weights->layout.text(), ", expected (", n, ")");
  const DType wide = is_complex(promote(x.dtype, y.dtype)) ? DType::complex128_ : DType::float64_;
  const Ref<Array> at = astype(x, wide, Casting::unsafe, Order::C, stream);
  Ref<Array> left = vander(*at, degree + 1, false, stream);
  Ref<Array> right = astype(y, wide, Casting::unsafe, Order::C, stream);
  if (weights != nullptr) {
    const Ref<Array> w = astype(*weights, wide, Casting::unsafe, Order::C, stream);
    left = apply(op::multiply, {left.get(), along(*w, 2, 0).get()}, stream);
    right = apply(op::multiply, {right.get(), along(*w, y.layout.ndim, 0).get()}, stream);
  }
  // Columns of length 1: powers differ by many orders of magnitude.
  const int32_t rows = 0;
  const Ref<Array> lengths = norm(*left, NormKind::standard, 2, {&rows, 1}, false, stream);
  const Ref<Array> scale = compute({lengths.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t zero = b.scalar(scalar_of(0.0), true), one = b.scalar(scalar_of(1.0), true);
    return b.op(op::where, b.op(op::equal, in[0], zero), one, in[0]);
  });
  const Ref<Array> scaled = apply(op::divide, {left.get(), along(*scale, 2, 1).get()}, stream);
  if (rcond < 0) rcond = static_cast<double>(n) * 0x1p-52;
  const LeastSquares fit = lstsq(*scaled, *right, rcond, stream);
  return apply(op::divide, {fit.x.get(), along(*scale, y.layout.ndim, 0).get()}, stream);
}

}  // namespace arr
