// SPDX-License-Identifier: MIT
// Circular and hyperbolic functions of matrices by their exponentials, derivatives of exponentials, and
// signs.
#include <array>
#include <cmath>
#include <complex>
#include <limits>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/linalg/matmul.h"
#include "ops/linalg/matrix_functions.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

// A weak scalar, real if it has no imaginary part.
int32_t factor(ProgramBuilder& b, std::complex<double> x) {
  return x.imag() == 0 ? number(b, x.real()) : b.scalar(scalar_bits(DType::complex128_, x), true);
}

// exp(f a)
Ref<Array> exponential(const Array& a, std::complex<double> f, Stream* stream) {
  const Ref<Array> turned = compute({&a}, stream, [&](ProgramBuilder& b, const int32_t* x) {
    return b.op(op::multiply, x[0], factor(b, f));
  });
  return expm(*turned, stream);
}

// (above + sign below) / divisor
Ref<Array> mean(const Array& above, const Array& below, double sign, std::complex<double> divisor,
                Stream* stream) {
  return compute({&above, &below}, stream, [&](ProgramBuilder& b, const int32_t* x) {
    const int32_t sum = b.op(sign > 0 ? op::add : op::subtract, x[0], x[1]);
    return b.op(op::multiply, sum, factor(b, 1.0 / divisor));
  });
}

// sin or sinh of matrices of 1-norm 1 or less: of smaller ones the difference of exponentials has few digits.
// x^19 / 19! is below the rounding of x.
Ref<Array> odd_series(const Array& x, bool hyperbolic, Stream* stream) {
  const Ref<Array> square = matmul(x, x, stream);
  const double sign = hyperbolic ? 1 : -1;
  Ref<Array> sum;
  for (int k = 19; k > 1; k -= 2) {  // 1 + square / (2 3) (1 + square / (4 5) (1 + ...))
    const Ref<Array> product = sum ? matmul(*square, *sum, stream) : square;
    sum = compute({product.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::multiply, in[0], number(b, sign / (k * (k - 1))));
    });
    add_to_diagonals(*sum, 1, stream);
  }
  return matmul(x, *sum, stream);
}

struct Pair {
  Ref<Array> even, odd;  // cos and sin, or cosh and sinh
};
Pair by_exponentials(const Array& x, bool hyperbolic, Stream* stream) {
  if (!hyperbolic && !is_complex(x.dtype)) {
    const Ref<Array> turned = exponential(x, {0, 1}, stream);
    return {copy(*complex_part(*turned, 0), Order::C, stream),
            copy(*complex_part(*turned, 1), Order::C, stream)};
  }
  const std::complex<double> unit = hyperbolic ? std::complex<double>(1, 0) : std::complex<double>(0, 1);
  const Ref<Array> above = exponential(x, unit, stream), below = exponential(x, -unit, stream);
  return {mean(*above, *below, 1, 2, stream), mean(*above, *below, -1, 2.0 * unit, stream)};
}

int64_t count(const Array& mask, Stream* stream) {
  return scalar_value<int64_t>(reduce_item(*reduction_find("count_nonzero"), mask, stream));
}

Pair pair_of(const Array& x, bool hyperbolic, Stream* stream) {
  Pair out = by_exponentials(x, hyperbolic, stream);
  const Ref<Array> size = norms_1(x, stream);
  const Ref<Array> small = compute({size.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::less_equal, in[0], number(b, 1));
  });
  if (count(*small, stream) == 0) return out;
  const Ref<Array> series = odd_series(x, hyperbolic, stream);
  out.odd = apply(op::where, {small.get(), series.get(), out.odd.get()}, stream);
  return out;
}

}  // namespace

Ref<Array> circular(const Array& a, CircularFunction which, Stream* stream) {
  check_square(a, "a");
  const Ref<Array> x = as_type(a, lapack_type(a.dtype, "a"), stream);
  if (x->layout.size() == 0) return copy(*x, Order::C, stream);
  const bool hyperbolic = which >= CircularFunction::cosh;
  const Pair pair = pair_of(*x, hyperbolic, stream);
  switch (which) {
    case CircularFunction::cos:
    case CircularFunction::cosh:
      return pair.even;
    case CircularFunction::sin:
    case CircularFunction::sinh:
      return pair.odd;
    default:
      return solve(*pair.even, *pair.odd, OnFailure::nan, stream);
  }
}

namespace {

// The view of a block of matrices, the first or the second half of their rows and of their columns.
Ref<Array> quarter(const Array& a, int row, int column) {
  const int64_t n = rows_of(a) / 2;
  const Ref<Array> rows = slice_axis(a, a.layout.ndim - 2, row * n, (row + 1) * n);
  return slice_axis(*rows, a.layout.ndim - 1, column * n, (column + 1) * n);
}

// The power of two by which e is multiplied to have about the 1-norm of a, (..., 1, 1).
Ref<Array> scale_to(const Array& a, const Array& e, Stream* stream) {
  const Ref<Array> of_a = norms_1(a, stream), of_e = norms_1(e, stream);
  return compute({of_a.get(), of_e.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t ratio = b.op(op::divide, b.op(op::maximum, in[0], number(b, 1)), in[1]);
    const int32_t power = b.op(op::exp2, b.op(op::floor, b.op(op::log2, ratio)));
    return b.op(op::where, b.op(op::isfinite, power), power, number(b, 1));
  });
}

}  // namespace

// By the exponential of [a, e; 0, a], whose upper right block is linear in e (N. J. Higham, "Functions of
// Matrices", SIAM 2008, section 3.2). e is scaled so that it does not raise the number of squarings.
Derivative expm_frechet(const Array& a, const Array& e, Stream* stream) {
  common_device(std::array{Input{&a, {}, false}, Input{&e, {}, false}});
  check_square(a, "a");
  check_square(e, "e");
  Layout all;
  broadcast_shapes(a.layout, e.layout, "e", &all);
  const int64_t n = rows_of(a);
  if (rows_of(e) != n)
    fail(ARR_E_SHAPE, "argument e: shape ", e.layout.text(), ", expected (..., ", n, ", ", n, ")");
  const DType d = promote(lapack_type(a.dtype, "a"), lapack_type(e.dtype, "e"));
  const auto made = [&] { return empty(d, all.dims(), Order::C, a.device(), stream); };
  if (all.size() == 0) return {made(), made()};
  const Ref<Array> from = as_type(a, d, stream), along = as_type(e, d, stream);
  const Ref<Array> scale = scale_to(*from, *along, stream);
  Layout doubled = all;
  doubled.shape[all.ndim - 2] = doubled.shape[all.ndim - 1] = checked::mul(n, 2, "argument a");
  const Ref<Array> block = full(d, doubled.dims(), Order::C, convert(scalar_of(0.0), d), a.device(), stream);
  for (int i = 0; i < 2; ++i) assign(*quarter(*block, i, i), *from, stream);
  assign(*quarter(*block, 0, 1), *apply(op::multiply, {along.get(), scale.get()}, stream), stream);
  const Ref<Array> result = expm(*block, stream), right = quarter(*result, 0, 1);
  return {copy(*quarter(*result, 0, 0), Order::C, stream),
          apply(op::divide, {right.get(), scale.get()}, stream)};
}

namespace {

// (x / f + f inverse) / 2 with f = sqrt(|x| / |inverse|), where the step before was large, else 1.
Ref<Array> newton_step(const Array& x, const Array& moving, Stream* stream) {
  const Ref<Array> inverted = inverse(x, OnFailure::nan, stream);
  const Ref<Array> above = norms_1(x, stream), below = norms_1(*inverted, stream);
  return compute({&x, inverted.get(), above.get(), below.get(), &moving}, stream,
                 [](ProgramBuilder& b, const int32_t* in) {
                   const int32_t ratio = b.op(op::sqrt, b.op(op::divide, in[2], in[3]));
                   const int32_t f = b.op(op::where, in[4], ratio, number(b, 1));
                   const int32_t sum =
                       b.op(op::add, b.op(op::divide, in[0], f), b.op(op::multiply, in[1], f));
                   return b.op(op::multiply, sum, number(b, 0.5));
                 });
}

// |x - y| > limit |y| of each matrix, by 1-norms.
Ref<Array> differs(const Array& x, const Array& y, double limit, Stream* stream) {
  const Ref<Array> difference = norms_1(*apply(op::subtract, {&x, &y}, stream), stream),
                   size = norms_1(y, stream);
  return compute({difference.get(), size.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::greater, in[0], b.op(op::multiply, in[1], number(b, limit)));
  });
}

}  // namespace

// Newton's iteration with scaling by norms (N. J. Higham, "Functions of Matrices", SIAM 2008, section 5.5).
// It converges quadratically: once a step is below sqrt(eps), only rounding is left after the next one.
Ref<Array> signm(const Array& a, Stream* stream) {
  check_square(a, "a");
  Ref<Array> x = as_type(a, lapack_type(a.dtype, "a"), stream);
  if (x->layout.size() == 0) return copy(*x, Order::C, stream);
  const double eps = real_type(x->dtype) == DType::float32_ ? std::numeric_limits<float>::epsilon()
                                                            : std::numeric_limits<double>::epsilon();
  Ref<Array> far = differs(*x, *x, -1, stream);  // true, but of zeros and nan
  constexpr int max_steps = 100;
  for (int i = 0; i < max_steps; ++i) {
    const Ref<Array> next = newton_step(*x, *far, stream);
    const Ref<Array> moving = differs(*next, *x, std::sqrt(eps), stream);
    const bool last = count(*far, stream) == 0;
    far = differs(*next, *x, 1e-2, stream);
    x = next;
    if (last && count(*moving, stream) == 0) return x;
  }
  const Ref<Array> moving = differs(*newton_step(*x, *far, stream), *x, std::sqrt(eps), stream);
  return compute({moving.get(), x.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::where, in[0], number(b, std::numeric_limits<double>::quiet_NaN()), in[1]);
  });
}

}  // namespace arr
