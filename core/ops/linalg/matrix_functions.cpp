// SPDX-License-Identifier: MIT
// Solvers of tensors, and the exponential of matrices by scaling, Padé's approximant of degree 13, and
// squaring (N. J. Higham, "The Scaling and Squaring Method for the Matrix Exponential Revisited", SIAM J.
// Matrix Anal. Appl. 26 (2005), algorithm 2.3).
#include <algorithm>
#include <cmath>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/linalg/least_squares.h"
#include "ops/linalg/matmul.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

int64_t product(Shape shape) {
  int64_t n = 1;
  for (int64_t extent : shape) n = checked::mul(n, extent, "argument a");
  return n;
}

}  // namespace

Ref<Array> tensorsolve(const Array& a, const Array& b, std::span<const int32_t> axes, Stream* stream) {
  Ref<Array> tensor = a.share();
  uint32_t seen = 0;
  for (int32_t axis : axes) {
    const int32_t at = normalize_axis(a.layout.ndim, axis, "axes");
    if ((seen >> at & 1U) != 0) fail(ARR_E_ARGUMENT, "argument axes: ", axis, " is named twice");
    // The axis's current position: each axis before it that was moved to the end has shifted it by one.
    int32_t now = at;
    for (int32_t i = 0; i < at; ++i) now -= static_cast<int32_t>(seen >> i & 1U);
    seen |= 1U << at;
    tensor = move_axis(*tensor, now, a.layout.ndim - 1);
  }
  const int32_t left = std::min(b.layout.ndim, a.layout.ndim);
  const Shape columns = Shape(tensor->layout.dims()).subspan(static_cast<size_t>(left));
  const int64_t rows = product(Shape(tensor->layout.shape, static_cast<size_t>(left))), n = product(columns);
  if (rows != n || b.layout.size() != n) {
    fail(ARR_E_SHAPE, "argument a: shape ", tensor->layout.text(), " is not a square matrix with the ",
         b.layout.size(), " elements of b as rows");
  }
  const int64_t square[2] = {n, n};
  const Ref<Array> matrix = reshape(*tensor, square, Order::C, stream);
  const Ref<Array> x = solve(*matrix, *ravel(b, stream), OnFailure::error, stream);
  return reshape(*x, columns, Order::C, stream);
}

Ref<Array> tensorinv(const Array& a, int32_t ind, Stream* stream) {
  if (ind < 1 || ind > a.layout.ndim) {
    fail(ARR_E_ARGUMENT, "argument ind: ", ind, ", expected 1 .. ", a.layout.ndim, ", the dimensions of a");
  }
  const Shape first = Shape(a.layout.shape, static_cast<size_t>(ind));
  const Shape last = Shape(a.layout.dims()).subspan(static_cast<size_t>(ind));
  const int64_t square[2] = {product(first), product(last)};
  if (square[0] != square[1]) {
    fail(ARR_E_SHAPE, "argument a: shape ", a.layout.text(), " is not a square matrix with its first ", ind,
         " dimensions as rows");
  }
  const Ref<Array> x = inverse(*reshape(a, square, Order::C, stream), OnFailure::error, stream);
  std::vector<int64_t> shape(last.begin(), last.end());
  shape.insert(shape.end(), first.begin(), first.end());
  return reshape(*x, shape, Order::C, stream);
}

namespace {

// The number of halvings of each matrix until its 1-norm is below Padé's bound, a float of shape (..., 1, 1).
Ref<Array> halvings(const Array& a, Stream* stream) {
  constexpr double bound = 5.371920351148152;
  const Ref<Array> norm = norms_1(a, stream);
  return compute({norm.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t s = b.op(op::ceil, b.op(op::log2, b.op(op::divide, in[0], number(b, bound))));
    const int32_t positive = b.op(op::maximum, s, number(b, 0));
    return b.op(op::where, b.op(op::isfinite, in[0]), positive, number(b, 0));
  });
}

// c0 a + c1 b + c2 c
Ref<Array> sum_of(const std::array<const Array*, 3>& arrays, const std::array<double, 3>& factors,
                  Stream* stream) {
  return compute({arrays[0], arrays[1], arrays[2]}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    int32_t sum = b.op(op::multiply, in[0], number(b, factors[0]));
    sum = b.op(op::add, sum, b.op(op::multiply, in[1], number(b, factors[1])));
    return b.op(op::add, sum, b.op(op::multiply, in[2], number(b, factors[2])));
  });
}
// c0 a + c1 b + c2 c + d I, and its product with another matrix.
Ref<Array> with_identity(const Array& product, const Array& sum, double d, Stream* stream) {
  Ref<Array> out = apply(op::add, {&product, &sum}, stream);
  add_to_diagonals(*out, d, stream);
  return out;
}

// The exponentials of matrices whose 1-norm is below the bound.
Ref<Array> pade13(const Array& a, Stream* stream) {
  static constexpr double c[14] = {64764752532480000.0,
                                   32382376266240000.0,
                                   7771770303897600.0,
                                   1187353796428800.0,
                                   129060195264000.0,
                                   10559470521600.0,
                                   670442572800.0,
                                   33522128640.0,
                                   1323241920.0,
                                   40840800.0,
                                   960960.0,
                                   16380.0,
                                   182.0,
                                   1.0};
  const Ref<Array> a2 = matmul(a, a, stream), a4 = matmul(*a2, *a2, stream), a6 = matmul(*a4, *a2, stream);
  const std::array<const Array*, 3> powers = {a6.get(), a4.get(), a2.get()};
  auto half = [&](int32_t odd) {
    const Ref<Array> high = sum_of(powers, {c[12 + odd], c[10 + odd], c[8 + odd]}, stream);
    const Ref<Array> low = sum_of(powers, {c[6 + odd], c[4 + odd], c[2 + odd]}, stream);
    return with_identity(*matmul(*a6, *high, stream), *low, c[odd], stream);
  };
  const Ref<Array> u = matmul(a, *half(1), stream), v = half(0);
  const Ref<Array> below = apply(op::subtract, {v.get(), u.get()}, stream);
  const Ref<Array> above = apply(op::add, {v.get(), u.get()}, stream);
  return solve(*below, *above, OnFailure::nan, stream);
}

}  // namespace

Ref<Array> expm(const Array& a, Stream* stream) {
  check_square(a, "a");
  const Ref<Array> x = as_type(a, lapack_type(a.dtype, "a"), stream);
  if (x->layout.size() == 0) return copy(*x, Order::C, stream);
  const Ref<Array> s = halvings(*x, stream);
  const Ref<Array> scaled = compute({x.get(), s.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::multiply, in[0], b.op(op::exp2, b.op(op::negative, in[1]))), x->dtype);
  });
  Ref<Array> power = pade13(*scaled, stream);
  const Scalar max_squarings = reduce_item(*reduction_info(reduction::max), *s, stream);
  const auto times = scalar_value<int64_t>(convert(max_squarings, DType::int64_));
  for (int64_t i = 0; i < times; ++i) {
    const Ref<Array> square = matmul(*power, *power, stream);
    power = compute({s.get(), square.get(), power.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::where, b.op(op::greater, in[0], number(b, static_cast<double>(i))), in[1], in[2]);
    });
  }
  return power;
}

}  // namespace arr
