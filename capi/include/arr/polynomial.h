/* SPDX-License-Identifier: MIT */
/* polynomial.h - polynomials as vectors of coefficients; Vandermonde matrices. */
#ifndef ARR_POLYNOMIAL_H
#define ARR_POLYNOMIAL_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------- coefficients from the highest power on: numpy.poly... */

/** Computes the roots of a polynomial as the eigenvalues of its companion matrix, by LAPACK's or cuSOLVER's geev.
 *  @param p  (n) coefficients, highest power first; leading zeros are ignored, and each trailing zero is a root 0
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: a vector of complex64 for 32-bit coefficients, else of complex128, in no
 *      particular order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LINALG,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_roots(arr_array p, arr_stream stream, arr_array *out);

/** Fits a polynomial to points by least squares: arr_lstsq with the powers of x, each scaled to length 1.
 *  @param x  (n), n >= 1
 *  @param y  (n), or (n, k) for k polynomials
 *  @param degree  degree of the polynomial
 *  @param rcond  singular values up to rcond times the largest count as 0; negative selects n epsilons
 *  @param[in,null] weights  (n) factors of the residuals; NULL selects 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: (degree + 1) or (degree + 1, k), float64 or complex128
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LINALG,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_polyfit(arr_array x, arr_array y, int64_t degree, double rcond, arr_array weights,
                               arr_stream stream, arr_array *out);

/** Fits a polynomial like arr_polyfit and returns all results of the least squares.
 *  @param x  (n), n >= 1
 *  @param y  (n), or (n, k) for k polynomials
 *  @param degree  degree of the polynomial
 *  @param rcond  singular values up to rcond times the largest count as 0; negative selects n epsilons
 *  @param[in,null] weights  (n) factors of the residuals; NULL selects 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_coefficients  one new reference: (degree + 1) or (degree + 1, k), float64 or complex128
 *  @param[out] out_residuals  one new reference, () or (k): the sum of squared residuals, also where NumPy's is empty
 *  @param[out] out_rank  one new reference, () of int64: the rank of the matrix of scaled powers
 *  @param[out] out_s  one new reference, (min(n, degree + 1)): the singular values of that matrix
 *  @param[out] out_rcond  the ratio below which singular values counted as 0
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LINALG,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_polyfit_full(arr_array x, arr_array y, int64_t degree, double rcond, arr_array weights,
                                    arr_stream stream, arr_array *out_coefficients, arr_array *out_residuals,
                                    arr_array *out_rank, arr_array *out_s, double *out_rcond);

/** Fits a polynomial like arr_polyfit and returns the covariance of its coefficients. ARR_E_LINALG if the points do not
 *  determine a polynomial of that degree.
 *  @param x  (n), n >= 1
 *  @param y  (n), or (n, k) for k polynomials
 *  @param degree  degree of the polynomial
 *  @param rcond  singular values up to rcond times the largest count as 0; negative selects n epsilons
 *  @param[in,null] weights  (n) factors of the residuals; NULL selects 1
 *  @param scaled  true: multiplied by the sum of squared residuals over n - degree - 1, which is at least 1; false: not
 *      scaled, for weights that are 1 over the standard deviations
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_coefficients  one new reference: (degree + 1) or (degree + 1, k), float64 or complex128
 *  @param[out] out_covariance  one new reference: (degree + 1, degree + 1); for a two-dimensional y (.., .., k), or
 *      (.., .., 1) if scaled is false
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LINALG,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_polyfit_cov(arr_array x, arr_array y, int64_t degree, double rcond, arr_array weights,
                                   bool scaled, arr_stream stream, arr_array *out_coefficients,
                                   arr_array *out_covariance);

/** Computes the coefficients of the product of (x - root) over all roots. Integers give float64; conjugate pairs of
 *  complex roots give real coefficients.
 *  @param roots  (n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (n + 1); the first is 1
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for complex roots, which are checked */
ARR_API arr_status arr_poly(arr_array roots, arr_stream stream, arr_array *out);

/** Adds two polynomials. The missing high powers of the shorter one count as 0.
 *  @param a  (m), m >= 1
 *  @param b  (n), n >= 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, as long as the longer operand
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_polyadd(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Subtracts two polynomials. The missing high powers of the shorter one count as 0.
 *  @param a  (m), m >= 1
 *  @param b  (n), n >= 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, as long as the longer operand
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_polysub(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Multiplies two polynomials by arr_convolve. Leading zeros of both are removed first.
 *  @param a  (m), m >= 1
 *  @param b  (n), n >= 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for both, which are checked for leading zeros */
ARR_API arr_status arr_polymul(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Evaluates a polynomial by Horner's rule, twelve steps in one pass. Integers wrap.
 *  @param p  (n, ...), coefficients along the first axis; the other axes broadcast with x
 *  @param x  the points
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_polyval(arr_array p, arr_array x, arr_stream stream, arr_array *out);

/** Differentiates a polynomial m times. The result is empty if the polynomial has at most m coefficients.
 *  @param p  (n)
 *  @param m  number of times, 0 or more
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (n - m) or (0), of p's type promoted with int64; if m is 0 a copy of p
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_polyder(arr_array p, int64_t m, arr_stream stream, arr_array *out);

/** Integrates a polynomial m times.
 *  @param p  (n)
 *  @param m  number of times, 0 or more
 *  @param[in,null] k  the constants of integration, that of the first integration first: a number or (1) for all, or
 *      (m) or more; NULL selects 0
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (n + m), float64 or complex128; if m is 0 a copy of p
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_polyint(arr_array p, int64_t m, arr_array k, arr_stream stream, arr_array *out);

/** Divides two polynomials, u = quotient * v + remainder, in floating point. Leading zeros of v are removed first;
 *  leading coefficients of the remainder with a magnitude of at most 1e-8 are removed, as in NumPy.
 *  @param u  (m), m >= 1
 *  @param v  (n), n >= 1, not all zeros
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_quotient  one new reference, max(m - n, 0) + 1 coefficients, where n does not count leading zeros
 *  @param[out] out_remainder  one new reference, of a lower degree than v, or a single 0
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for v and the remainder, which are checked for leading zeros */
ARR_API arr_status arr_polydiv(arr_array u, arr_array v, arr_stream stream, arr_array *out_quotient,
                               arr_array *out_remainder);

/** Raises a polynomial to a power by arr_convolve of squares. Its leading zeros are removed first. More than 2^17
 *  coefficients are ARR_E_SHAPE, because the time grows with the square of their number.
 *  @param p  (m), m >= 1
 *  @param n  the exponent, 0 or more; for 0 the result is 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of p's type
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for p, which is checked for leading zeros */
ARR_API arr_status arr_polypow(arr_array p, int64_t n, arr_stream stream, arr_array *out);

/** Removes leading zeros from coefficients. One coefficient is always kept.
 *  @param p  (n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference, a view
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for p, which is checked */
ARR_API arr_status arr_polytrim(arr_array p, arr_stream stream, arr_array *out);

/** Returns the degree of a polynomial without its leading zeros; 0 if all coefficients are zeros.
 *  @param p  (n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  the degree
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes */
ARR_API arr_status arr_polydegree(arr_array p, arr_stream stream, int64_t *out);

/* ------------------------------------ coefficients from the lowest power on: numpy.polynomial.polynomial */

/** Evaluates a polynomial by Horner's rule, twelve steps in one pass, in floating point.
 *  @param x  the points
 *  @param c  (n, ...), coefficients along the first axis, n >= 1
 *  @param tensor  true: each polynomial at each x; the result has the shape of c without its first axis, followed by
 *      that of x; false: they broadcast
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_polynomial_val(arr_array x, arr_array c, bool tensor, arr_stream stream,
                                      arr_array *out);

/** Evaluates polynomials given by their roots: the product of (x - root), in one pass, in floating point.
 *  @param x  the points
 *  @param roots  (n, ...), roots along the first axis
 *  @param tensor  true: each polynomial at each x, as in arr_polynomial_val; false: x broadcasts with roots and has
 *      fewer axes
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_polyvalfromroots(arr_array x, arr_array roots, bool tensor, arr_stream stream,
                                        arr_array *out);

/** Computes the powers 0 to degree along a new last axis, in floating point.
 *  @param x  the array
 *  @param degree  0 or more
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., degree + 1)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_polyvander(arr_array x, int64_t degree, arr_stream stream, arr_array *out);

/** Returns the companion matrix: ones below the diagonal, -c[:-1] / c[-1] in the last column, in floating point.
 *  Trailing zeros are removed first.
 *  @param c  (n), of degree 1 or more
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for c, which is checked for trailing zeros */
ARR_API arr_status arr_polycompanion(arr_array c, arr_stream stream, arr_array *out);

/** Removes trailing zeros from a vector. One element is always kept.
 *  @param c  (n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference, a view
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for c, which is checked */
ARR_API arr_status arr_trimseq(arr_array c, arr_stream stream, arr_array *out);

/** Removes trailing coefficients with a magnitude of at most tol, in floating point. If none is left the result is a
 *  single 0.
 *  @param c  (n), n >= 1
 *  @param tol  0 or more
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for c, which is checked */
ARR_API arr_status arr_trimcoef(arr_array c, double tol, arr_stream stream, arr_array *out);

/** Converts vectors of coefficients to one floating-point type.
 *  @param n  number of arrays, 1 or more
 *  @param[in,len=n] arrays  vectors or numbers, not empty
 *  @param trim  true: trailing zeros are removed
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param nout  number of entries at out; must be n
 *  @param[out,len=nout] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the arrays if trim is true */
ARR_API arr_status arr_as_series(int32_t n, const arr_array *arrays, bool trim, arr_stream stream,
                                 int32_t nout, arr_array *out);

/* --------------------------------------------------------------------------------------- powers */

/** Returns a Vandermonde matrix: the powers of each element in a row.
 *  @param x  (m)
 *  @param columns  number of powers, from 0 on; -1 selects m
 *  @param increasing  true: power 0 is first; false: power 0 is last
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (m, columns), of x's type promoted with int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_vander(arr_array x, int64_t columns, bool increasing, arr_stream stream,
                              arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
