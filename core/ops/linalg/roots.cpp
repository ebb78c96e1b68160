// SPDX-License-Identifier: MIT
// Square roots, logarithms and powers of matrices, by those of the triangle of the complex Schur form.
#include <array>
#include <cmath>
#include <limits>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/linalg/matmul.h"
#include "ops/linalg/matrix_functions.h"
#include "ops/linalg/products.h"
#include "ops/linalg/sylvester.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

// Triangles are stacks of three dimensions, so that views of blocks can have one more.

// Rounding moves negative eigenvalues of a real matrix off the real axis, to either side of the branch cut;
// those as near to it as rounding could have moved them are put back.
void put_on_axis(const Array& t, Stream* stream) {
  const Ref<Array> diagonal = diagonals(t);
  const Ref<Array> re = complex_part(*diagonal, 0), im = complex_part(*diagonal, 1);
  const Ref<Array> sizes = apply(op::absolute, {&t}, stream);
  const Ref<Array> largest =
      index_axis(*reduce(*reduction_info(reduction::max), *sizes, 6, true, {}, stream), -1, 0);
  const double eps = re->dtype == DType::float32_ ? std::numeric_limits<float>::epsilon()
                                                  : std::numeric_limits<double>::epsilon();
  const double units = 8 * eps * static_cast<double>(rows_of(t));
  const std::array<const Array*, 3> in = {im.get(), re.get(), largest.get()};
  run_into(*im,
           program_of({in[0], in[1], in[2]},
                      [&](ProgramBuilder& b, const int32_t* x) {
                        const int32_t limit = b.op(op::multiply, x[2], number(b, units));
                        const int32_t near = b.op(op::less_equal, b.op(op::absolute, x[0]), limit);
                        const int32_t negative = b.op(op::less, x[1], number(b, 0));
                        return b.op(op::where, b.op(op::logical_and, near, negative), number(b, 0), x[0]);
                      }),
           in, stream);
}

// q function(t) q' of a's Schur form; function: of a stack of triangles.
template <class Function>
Ref<Array> by_schur(const Array& a, Stream* stream, Function&& function) {
  check_square(a, "a");
  const DType d = promote(lapack_type(a.dtype, "a"), DType::complex64_);
  if (a.layout.size() == 0) return empty(d, a.layout.dims(), Order::C, a.device(), stream);
  const int64_t n = rows_of(a), shape[3] = {a.layout.size() / (n * n), n, n};
  const SchurForm form = schur(*reshape(a, shape, Order::C, stream), OnFailure::nan, stream);
  if (!is_complex(a.dtype)) put_on_axis(*form.t, stream);
  const Ref<Array> left = matmul(*form.q, *function(*form.t), stream);
  return reshape(*matmul(*left, *adjoint(*form.q, stream), stream), a.layout.dims(), Order::C, stream);
}

// Blocks of rows x columns elements: `count` of them from (row, column) on, each `step` further down the
// diagonal. A view (stack, count, rows, columns).
struct Blocks {
  int64_t row, column, rows, columns, count, step;
};
Ref<Array> blocks_of(const Array& a, const Blocks& at) {
  const Ref<Array> corner = slice_axis(*slice_axis(a, 1, at.row, rows_of(a)), 2, at.column, columns_of(a));
  Layout l = corner->layout;
  l.ndim = 4;
  l.strides[3] = l.strides[2];
  l.strides[2] = l.strides[1];
  l.strides[1] = at.step * (l.strides[2] + l.strides[3]);
  l.shape[1] = at.count;
  l.shape[2] = at.rows;
  l.shape[3] = at.columns;
  return corner->view(l);
}

// Computes roots of pairs of neighbouring blocks on the diagonal, whose own roots are there: R11 X + X R22 =
// T12 for the block X that is beside them. `at`: the blocks T12.
void root_beside(const Array& t, const Array& root, const Blocks& at, Stream* stream) {
  if (at.count == 0 || at.columns <= 0) return;
  const Ref<Array> left = blocks_of(root, {at.row, at.row, at.rows, at.rows, at.count, at.step});
  const Ref<Array> below = blocks_of(root, {at.column, at.column, at.columns, at.columns, at.count, at.step});
  const Ref<Array> x = triangular_sylvester(*left, *below, *blocks_of(t, at), stream);
  assign(*blocks_of(root, at), *x, stream);
}

// Blocks of one element, then of twice as many rows until one is the whole triangle (A. Björck, S.
// Hammarling, "A Schur method for the square root of a matrix", Linear Algebra Appl. 52/53 (1983); blocks: E.
// Deadman, N. J. Higham, R. Ralha, "Blocked Schur algorithms for computing the matrix square root", 2013).
Ref<Array> root_of_triangle(const Array& t, Stream* stream) {
  const int64_t n = rows_of(t);
  Ref<Array> root =
      full(t.dtype, t.layout.dims(), Order::C, convert(scalar_of(0.0), t.dtype), t.device(), stream);
  assign(*diagonals(*root), *apply(op::sqrt, {diagonals(t).get()}, stream), stream);
  for (int64_t rows = 1; rows < n; rows *= 2) {
    const int64_t pairs = n / (2 * rows), done = pairs * 2 * rows;
    root_beside(t, *root, {0, rows, rows, rows, pairs, 2 * rows}, stream);
    root_beside(t, *root, {done, done + rows, rows, n - done - rows, 1, 0}, stream);
  }
  return root;
}

bool any(const Array& mask, Stream* stream) {
  return scalar_value<int64_t>(
             convert(reduce_item(*reduction_info(reduction::any), mask, stream), DType::int64_)) != 0;
}

// R - I of triangles T, for R = T^(1 / 2^s) with the smallest s for which its 1-norm is at most 0.264, a
// bound for Padé's approximants of degree 7.
struct NearIdentity {
  Ref<Array> logs;      // of T's diagonal, (stack, n)
  Ref<Array> excess;    // R - I
  Ref<Array> halvings;  // s, real, (stack, 1, 1)
  int64_t max_halvings = 0;
};
NearIdentity near_identity(const Array& t, Stream* stream) {
  NearIdentity out;
  // A singular matrix has no logarithm: its triangle becomes nan.
  const Ref<Array> diagonal = diagonals(t);
  const Ref<Array> zeros = compute({diagonal.get()}, stream, [](ProgramBuilder& b, const int32_t* x) {
    return b.op(op::equal, x[0], number(b, 0));
  });
  const Ref<Array> singular =
      expand_axis(*reduce(*reduction_info(reduction::any), *zeros, 2, true, {}, stream), -1);
  Ref<Array> root = compute({singular.get(), &t}, stream, [](ProgramBuilder& b, const int32_t* x) {
    return b.op(op::where, x[0], number(b, std::numeric_limits<double>::quiet_NaN()), x[1]);
  });
  out.logs = apply(op::log, {diagonals(*root).get()}, stream);
  const int64_t shape[3] = {t.layout.shape[0], 1, 1};
  const DType real = real_type(t.dtype);
  out.halvings = full(real, shape, Order::C, convert(scalar_of(0.0), real), t.device(), stream);
  for (;; ++out.max_halvings) {
    out.excess = copy(*root, Order::C, stream);
    add_to_diagonals(*out.excess, -1, stream);
    const Ref<Array> size = norms_1(*out.excess, stream);
    const Ref<Array> far = compute({size.get()}, stream, [](ProgramBuilder& b, const int32_t* x) {
      return b.op(op::greater, x[0], number(b, 0.264));
    });
    if (!any(*far, stream)) break;
    const Ref<Array> next = root_of_triangle(*root, stream);
    root = apply(op::where, {far.get(), next.get(), root.get()}, stream);
    out.halvings = apply(op::add, {out.halvings.get(), far.get()}, stream);
  }
  // The diagonal without the cancellation of R - I.
  const Ref<Array> s = index_axis(*out.halvings, -1, 0);
  assign(*diagonals(*out.excess),
         *compute({out.logs.get(), s.get()}, stream,
                  [](ProgramBuilder& b, const int32_t* x) {
                    return b.op(op::expm1,
                                b.op(op::multiply, x[0], b.op(op::exp2, b.op(op::negative, x[1]))));
                  }),
         stream);
  return out;
}

Ref<Array> scaled(const Array& a, double factor, Stream* stream) {
  return compute({&a}, stream, [&](ProgramBuilder& b, const int32_t* x) {
    return b.op(op::multiply, x[0], number(b, factor));
  });
}

// (I + factor a)^-1 b for triangles.
Ref<Array> divided(const Array& a, double factor, const Array& b, Stream* stream) {
  const Ref<Array> below = scaled(a, factor, stream);
  add_to_diagonals(*below, 1, stream);
  return solve_triangular(*below, b, {}, OnFailure::nan, stream);
}

// By inverse scaling and squaring: log T = 2^s log R, log(I + X) by Padé's approximant [7/7] as a sum of
// partial fractions, whose nodes and weights are those of Gauss and Legendre on (0, 1) (N. J. Higham,
// "Functions of Matrices", SIAM 2008, section 11.5; A. H. Al-Mohy, N. J. Higham, "Improved inverse scaling
// and squaring algorithms for the matrix logarithm", SIAM J. Sci. Comput. 34 (2012)).
Ref<Array> log_of_triangle(const Array& t, Stream* stream) {
  static constexpr std::array<double, 4> nodes = {0.0, 0.4058451513773971669066, 0.7415311855993944398639,
                                                  0.9491079123427585245262};
  static constexpr std::array<double, 4> weights = {0.4179591836734693877551, 0.3818300505051189449504,
                                                    0.2797053914892766679015, 0.1294849661688696932706};
  const NearIdentity near = near_identity(t, stream);
  Ref<Array> sum;
  for (int i = -3; i <= 3; ++i) {
    const auto k = static_cast<size_t>(std::abs(i));
    const double node = (1 + (i < 0 ? -nodes.at(k) : nodes.at(k))) / 2;
    const Ref<Array> part =
        scaled(*divided(*near.excess, node, *near.excess, stream), weights.at(k) / 2, stream);
    sum = sum ? apply(op::add, {sum.get(), part.get()}, stream) : part;
  }
  Ref<Array> out = compute({sum.get(), near.halvings.get()}, stream, [](ProgramBuilder& b, const int32_t* x) {
    return b.op(op::multiply, x[0], b.op(op::exp2, x[1]));
  });
  assign(*diagonals(*out), *near.logs, stream);
  return out;
}

// The diagonal of R^p at most that often squared: exp(p log(t) / 2^min(s, times)).
void put_powers(const Array& to, const NearIdentity& near, double p, int64_t times, Stream* stream) {
  const Ref<Array> s = index_axis(*near.halvings, -1, 0);
  assign(*diagonals(to),
         *compute({near.logs.get(), s.get()}, stream,
                  [&](ProgramBuilder& b, const int32_t* x) {
                    const int32_t left = b.op(op::minimum, x[1], number(b, static_cast<double>(times)));
                    const int32_t part = b.op(op::multiply, x[0], b.op(op::exp2, b.op(op::negative, left)));
                    return b.op(op::exp, b.op(op::multiply, part, number(b, p)));
                  }),
         stream);
}

// T^p for -1 < p < 1: R^p by Padé's approximant [7/7] of (1 - x)^p as a continued fraction, squared s times
// (N. J. Higham, L. Lin, "A Schur-Padé algorithm for fractional powers of a matrix", SIAM J. Matrix Anal.
// Appl. 32 (2011)).
Ref<Array> power_of_triangle(const Array& t, double p, Stream* stream) {
  constexpr int degree = 7;
  const NearIdentity near = near_identity(t, stream);
  const Ref<Array> x = apply(op::negative, {near.excess.get()}, stream);
  const auto coefficient = [p](int i) {
    if (i == 1) return -p;
    const int j = i / 2;
    return i % 2 == 0 ? (p - j) / (2 * (2 * j - 1)) : (-p - j) / (2 * (2 * j + 1));
  };
  Ref<Array> y = scaled(*x, coefficient(2 * degree), stream);
  for (int i = 2 * degree - 1; i >= 1; --i) y = divided(*y, 1, *scaled(*x, coefficient(i), stream), stream);
  add_to_diagonals(*y, 1, stream);
  put_powers(*y, near, p, near.max_halvings, stream);
  for (int64_t i = near.max_halvings; i >= 1; --i) {
    const Ref<Array> square = matmul(*y, *y, stream);
    y = compute({near.halvings.get(), square.get(), y.get()}, stream,
                [&](ProgramBuilder& b, const int32_t* in) {
                  return b.op(op::where, b.op(op::greater_equal, in[0], number(b, static_cast<double>(i))),
                              in[1], in[2]);
                });
    put_powers(*y, near, p, i - 1, stream);
  }
  return y;
}

}  // namespace

Ref<Array> sqrtm(const Array& a, Stream* stream) {
  return by_schur(a, stream, [&](const Array& t) { return root_of_triangle(t, stream); });
}

Ref<Array> logm(const Array& a, Stream* stream) {
  return by_schur(a, stream, [&](const Array& t) { return log_of_triangle(t, stream); });
}

Ref<Array> fractional_matrix_power(const Array& a, double p, Stream* stream) {
  check_square(a, "a");
  if (!(std::abs(p) < 0x1p63)) fail(ARR_E_ARGUMENT, "argument p: ", p, ", expected a number below 2^63");
  const auto whole = static_cast<int64_t>(p);
  const double rest = p - static_cast<double>(whole);
  const DType d = promote(lapack_type(a.dtype, "a"), DType::complex64_);
  if (rest == 0) {
    const Ref<Array> typed = as_type(a, d, stream);
    return matrix_power(whole < 0 ? *inverse(*typed, OnFailure::nan, stream) : *typed, std::abs(whole),
                        stream);
  }
  return by_schur(a, stream, [&](const Array& t) {
    Ref<Array> power = power_of_triangle(t, rest, stream);
    if (whole == 0) return power;
    const Ref<Array> factor = matrix_power(t, std::abs(whole), stream);
    if (whole > 0) return matmul(*factor, *power, stream);
    return solve_triangular(*factor, *power, {}, OnFailure::nan, stream);
  });
}

}  // namespace arr
