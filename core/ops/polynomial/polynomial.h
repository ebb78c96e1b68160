// SPDX-License-Identifier: MIT
// Polynomials as vectors of coefficients, with the highest power first or the lowest, and powers of numbers.
#pragma once

#include "ops/elementwise/array_ops.h"

namespace arr {

// A vector with at least one element.
void check_coefficients(const Array& a, const char* argument);
// The first or last index at which the magnitude is above tol, or -1. Waits for the device.
int64_t edge_above(const Array& v, double tol, bool last, Stream* stream);

// ------------------------------------------------------------------ highest power first

// The coefficients of the product of (x - root). If the roots are closed under conjugation, the result is
// real; testing that waits.
Ref<Array> poly(const Array& roots, Stream* stream);
// op: add or subtract; the shorter operand is extended by leading zeros.
Ref<Array> poly_combine(int32_t op, const Array& a, const Array& b, Stream* stream);
// Removes leading zeros; waits.
Ref<Array> polymul(const Array& a, const Array& b, Stream* stream);
// Horner's rule over the first axis of p, whose other axes broadcast with x.
Ref<Array> polyval(const Array& p, const Array& x, Stream* stream);

// The m-th derivative, int64 for integers; the m-th integral, with constants k (nullptr for 0, one for all,
// or at least m): float64 or complex128.
Ref<Array> polyder(const Array& p, int64_t m, Stream* stream);
Ref<Array> polyint(const Array& p, int64_t m, const Array* k, Stream* stream);
// Keeps one zero if there is nothing else. A view; waits.
Ref<Array> without_leading_zeros(const Array& p, Stream* stream);
// 0 if all are zero. Waits.
int64_t polynomial_degree(const Array& p, Stream* stream);
struct PolynomialQuotient {
  Ref<Array> quotient, remainder;
};
// Floating; v must have a nonzero coefficient. Waits.
PolynomialQuotient polydiv(const Array& u, const Array& v, Stream* stream);
// p times itself; waits.
Ref<Array> polypow(const Array& p, int64_t n, Stream* stream);

// ------------------------------------------------------------------- lowest power first

// tensor: evaluates every polynomial (c has its coefficients along the first axis) at every x; otherwise the
// other axes broadcast with x.
Ref<Array> polyval_series(const Array& x, const Array& c, bool tensor, Stream* stream);
Ref<Array> polyval_roots(const Array& x, const Array& roots, bool tensor, Stream* stream);
// The powers 0 .. degree along a new last axis, floating.
Ref<Array> polyvander(const Array& x, int64_t degree, Stream* stream);
// Removes trailing zeros of c; waits.
Ref<Array> polycompanion(const Array& c, Stream* stream);

// Removes trailing elements that are 0 (up to magnitude tol), but keeps one; trimcoef makes it zero. Views;
// wait.
Ref<Array> trimseq(const Array& c, Stream* stream);
Ref<Array> trimcoef(const Array& c, double tol, Stream* stream);
// Casts to vectors of one floating dtype, trimmed or not.
std::vector<Ref<Array>> as_series(std::span<const Array* const> all, bool trim, Stream* stream);

// ------------------------------------------------------- by linear algebra (roots.cpp)

// The roots, complex: eigenvalues of the companion matrix. Waits.
Ref<Array> roots(const Array& p, Stream* stream);
// Least squares; y has a column per polynomial, or is a vector.
enum class Covariance { none, unscaled, scaled };
struct PolynomialFit {
  // rank and s belong to the matrix of powers with columns scaled to norm 1.
  Ref<Array> coefficients, residuals, rank, s, covariance;
  double rcond = 0;
};
// Highest power first. rcond negative: n epsilons. Waits.
PolynomialFit polyfit(const Array& x, const Array& y, int64_t degree, double rcond, const Array* weights,
                      Covariance covariance, Stream* stream);

// Powers of a vector's elements in rows, the highest first or last.
Ref<Array> vander(const Array& x, int64_t columns, bool increasing, Stream* stream);

}  // namespace arr
