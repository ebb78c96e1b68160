// SPDX-License-Identifier: MIT
// Least squares, pseudoinverses and ranks by the singular value decomposition.
#include "ops/linalg/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/linalg/matmul.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

double epsilon(DType d) { return real_type(d) == DType::float32_ ? 0x1p-23 : 0x1p-52; }

double cutoff(const Array& a, double given, const char* argument = "rcond") {
  if (std::isnan(given)) fail(ARR_E_ARGUMENT, "argument ", argument, ": nan");
  if (given >= 0) return given;
  return static_cast<double>(std::max(rows_of(a), columns_of(a))) * epsilon(lapack_type(a.dtype, "a"));
}

// s > rcond * max(s), or s > tol.
int32_t counts(ProgramBuilder& b, int32_t s, int32_t largest, double factor) {
  const int32_t limit = b.op(op::multiply, largest, b.scalar(scalar_of(factor), true));
  return b.op(op::greater, s, limit);
}
Ref<Array> largest_of(const Array& s) { return slice_axis(s, s.layout.ndim - 1, 0, 1); }

// Reciprocals of the singular values above the limit, 0 for the others.
Ref<Array> reciprocals(const Array& s, double rcond, Stream* stream) {
  const Ref<Array> largest = largest_of(s);
  return compute({&s, largest.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::where, counts(b, in[0], in[1], rcond), b.op(op::reciprocal, in[0]),
                b.scalar(scalar_of(int64_t{0}), true));
  });
}

Ref<Array> count_of(const Array& mask, Stream* stream) {
  return reduce(*reduction_find("count_nonzero"), mask, 1U << (mask.layout.ndim - 1), false, {}, stream);
}

// The number of singular values for which above(builder, {s, max(s)}) is true.
template <class Above>
Ref<Array> rank_of(const Array& s, Above&& above, Stream* stream) {
  if (s.layout.shape[s.layout.ndim - 1] == 0) return count_of(s, stream);
  const Ref<Array> largest = largest_of(s);
  return count_of(*compute({&s, largest.get()}, stream, above), stream);
}

// True for matrices with enough more rows than columns that reducing them to R by QR is worthwhile (as in
// LAPACK's gelsd; the ratio is that of ilaenv). False if QR, which does not scale elements, could overflow.
// Waits.
bool reduces_to_r(const Array& a, Stream* stream) {
  const int64_t m = rows_of(a), n = columns_of(a);
  constexpr int64_t min_columns = 32;  // calls take longer than so little work
  if (n < min_columns || m < n + n / 8 * 5 || a.layout.size() == 0) return false;
  const bool single = real_type(a.dtype) == DType::float32_;
  const double max_value = single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  const Array* from = &a;
  const BoundProgram magnitudes = program_of({from}, [](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::absolute, in[0]), DType::float64_);
  });
  const ReductionInfo& max = *reduction_info(reduction::max);
  const Scalar largest = map_reduce_item(max, resolve(max, DType::float64_), *magnitudes.program,
                                         Inputs(magnitudes, {from}).all(), stream);
  return scalar_value<double>(largest) < max_value * epsilon(a.dtype);
}

// The pseudoinverse as factors: x = V diag(1 / s) U' b, or V diag(1 / s) U' (Q' b) by the decomposition of R.
class Pseudoinverse {
 public:
  Pseudoinverse(const Array& a, double rcond, Stream* stream) {
    const bool by_r = reduces_to_r(a, stream);
    if (by_r) {
      std::vector<Ref<Array>> raw = qr(a, QrMode::raw, stream);
      vectors_ = raw[0];
      factors_ = raw[1];
    }
    const Svd f = svd(by_r ? *upper_triangle(stream) : a, true, false, OnFailure::error, stream);
    s = f.s;
    uh_ = adjoint(*f.u, stream);
    v_ = adjoint(*f.vh, stream);
    if (s->layout.shape[s->layout.ndim - 1] != 0) scales_ = expand_axis(*reciprocals(*s, rcond, stream), -1);
  }
  [[nodiscard]] Ref<Array> times(const Array& b, Stream* stream) const {
    Ref<Array> c = matmul(*uh_, vectors_ ? *rotated(b, stream) : b, stream);
    if (scales_) c = apply(op::multiply, {c.get(), scales_.get()}, stream);
    return matmul(*v_, *c, stream);
  }
  Ref<Array> s;

 private:
  // R, from the first rows of the output of qr.
  [[nodiscard]] Ref<Array> upper_triangle(Stream* stream) const {
    const Ref<Array> x = matrix_transposed(*vectors_);
    return triangle(*slice_axis(*x, x->layout.ndim - 2, 0, columns_of(*x)), true, stream);
  }
  // The first rows of Q' b.
  [[nodiscard]] Ref<Array> rotated(const Array& b, Stream* stream) const {
    const Ref<Array> all = qr_multiply(*vectors_, *factors_, b, LinalgOp::adjoint, stream);
    return slice_axis(*all, all->layout.ndim - 2, 0, rows_of(*vectors_));
  }
  Ref<Array> uh_, v_, scales_;
  Ref<Array> vectors_, factors_;  // results of qr() in mode raw, or null
};

// b - a x.
Ref<Array> residual(const Array& a, const Array& x, const Array& b, Stream* stream) {
  const Ref<Array> product = matmul(a, x, stream);
  return apply(op::subtract, {&b, product.get()}, stream);
}

}  // namespace

LeastSquares lstsq(const Array& a, const Array& b, double rcond, Stream* stream) {
  check_matrices(a, "a");
  common_device(std::array{Input{&a, {}, false}, Input{&b, {}, false}});
  const double limit = cutoff(a, rcond);
  const DType d = promote(lapack_type(a.dtype, "a"), lapack_type(b.dtype, "b"));
  const bool vector = b.layout.ndim == 1;
  if (b.layout.ndim == 0 || b.layout.shape[vector ? 0 : b.layout.ndim - 2] != rows_of(a)) {
    fail(ARR_E_SHAPE, "argument b: shape ", b.layout.text(), ", expected ", rows_of(a),
         " rows as in a of shape ", a.layout.text());
  }
  const Ref<Array> matrix = as_type(a, d, stream), typed = as_type(b, d, stream);
  const Ref<Array> right = vector ? expand_axis(*typed, -1) : typed;
  // Column-major: columns of regressions differ in magnitude, and column-wise work keeps the digits of each.
  const Ref<Array> columns = matrix_transposed(*contiguous(*matrix_transposed(*matrix), Order::C, stream));
  const Pseudoinverse inverse(*columns, limit, stream);
  const Ref<Array> first = inverse.times(*right, stream);
  // One step of iterative refinement in the same precision (A. Bjorck, Numerical Methods for Least Squares
  // Problems, 1996, 2.9).
  const Ref<Array> more = inverse.times(*residual(*matrix, *first, *right, stream), stream);
  LeastSquares out;
  out.x = apply(op::add, {first.get(), more.get()}, stream);
  out.s = inverse.s;
  out.rank = rank_of(
      *out.s, [&](ProgramBuilder& p, const int32_t* in) { return counts(p, in[0], in[1], limit); }, stream);
  const Ref<Array> left = residual(*matrix, *out.x, *right, stream);
  out.residuals =
      reduce(*reduction_find("sum_squares"), *left, 1U << (left->layout.ndim - 2), false, {}, stream);
  if (vector) {
    const int32_t last = -1;
    out.x = out.x->view(squeeze(out.x->layout, {&last, 1}, false));
    out.residuals = out.residuals->view(squeeze(out.residuals->layout, {&last, 1}, false));
  }
  return out;
}

namespace {

// V diag(of(s)) U', where of() has the reciprocals of the singular values that count.
template <class Reciprocals>
Ref<Array> pseudoinverse(const Array& a, Stream* stream, Reciprocals&& of) {
  const Svd f = svd(a, true, false, OnFailure::error, stream);
  const Ref<Array> v = adjoint(*f.vh, stream), uh = adjoint(*f.u, stream);
  if (f.s->layout.shape[f.s->layout.ndim - 1] == 0) return matmul(*v, *uh, stream);
  const Ref<Array> factors = expand_axis(*of(*f.s), -2);
  const Ref<Array> scaled = apply(op::multiply, {v.get(), factors.get()}, stream);
  return matmul(*scaled, *uh, stream);
}

}  // namespace

Ref<Array> pinv(const Array& a, double rcond, Stream* stream) {
  check_matrices(a, "a");
  const double limit = cutoff(a, rcond);
  return pseudoinverse(a, stream, [&](const Array& s) { return reciprocals(s, limit, stream); });
}

Ref<Array> pinv(const Array& a, const Array& rcond, Stream* stream) {
  check_matrices(a, "a");
  common_device(std::array{Input{&a, {}, false}, Input{&rcond, {}, false}});
  if (is_complex(rcond.dtype))
    fail(ARR_E_DTYPE, "argument rcond: ", name(rcond.dtype), ", expected real numbers");
  Layout stack = a.layout;
  stack.ndim -= 2;
  if (!broadcasts_to(rcond.layout, stack)) {
    fail(ARR_E_SHAPE, "argument rcond: shape ", rcond.layout.text(), ", expected one that broadcasts to ",
         stack.text(), ", the stack of matrices in a");
  }
  const Ref<Array> each = expand_axis(rcond, -1);
  return pseudoinverse(a, stream, [&](const Array& s) {
    const Ref<Array> largest = largest_of(s);
    return compute({&s, largest.get(), each.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      const int32_t limit = b.op(op::multiply, in[1], b.cast(in[2], real_type(s.dtype)));
      return b.op(op::where, b.op(op::greater, in[0], limit), b.op(op::reciprocal, in[0]), number(b, 0));
    });
  });
}

Ref<Array> matrix_rank(const Array& a, double tol, double rtol, Stream* stream) {
  if (std::isnan(tol)) fail(ARR_E_ARGUMENT, "argument tol: nan");
  if (a.layout.ndim < 2) {
    lapack_type(a.dtype, "a");
    const Ref<Array> any =
        reduce(*reduction_info(reduction::any), a, (1U << a.layout.ndim) - 1, false, {}, stream);
    return astype(*any, DType::int64_, Casting::unsafe, Order::K, stream);
  }
  const double limit = cutoff(a, rtol, "rtol");
  const Ref<Array> s = svdvals(a, OnFailure::error, stream);
  return rank_of(
      *s,
      [&](ProgramBuilder& b, const int32_t* in) {
        if (tol >= 0) return b.op(op::greater, in[0], b.scalar(scalar_of(tol), true));
        return counts(b, in[0], in[1], limit);
      },
      stream);
}

}  // namespace arr
