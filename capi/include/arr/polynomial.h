/* SPDX-License-Identifier: MIT */
/* polynomial.h - polynomials as vectors of coefficients; Vandermonde matrices. */
#ifndef ARR_POLYNOMIAL_H
#define ARR_POLYNOMIAL_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------- coefficients from the highest power on: numpy.poly... */

/** Roots of a polynomial: eigenvalues of its companion matrix, by LAPACK's geev or cuSOLVER's.
 *  @param p  (n) coefficients; zeros in front are left out, each zero at the end is a root 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: a vector of complex64 for 32-bit coefficients, else of complex128, in no order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LINALG,
 *      ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.roots, cupy.poly1d.roots, cupy.poly1d.r */
ARR_API arr_status arr_roots(arr_array p, arr_stream stream, arr_array *out);

/** The polynomial of least squares through points: arr_lstsq of the powers of x, each scaled to length 1.
 *  @param x  (n), n >= 1
 *  @param y  (n), or (n, k) for k polynomials
 *  @param degree  of the polynomial
 *  @param rcond  singular values up to this times the largest count as 0; negative: n epsilons
 *  @param[in,null] weights  (n) what each residual is multiplied by; NULL: 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: (degree + 1) or (degree + 1, k), float64 or complex128
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LINALG,
 *      ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.polyfit */
ARR_API arr_status arr_polyfit(arr_array x, arr_array y, int64_t degree, double rcond, arr_array weights,
                               arr_stream stream, arr_array *out);

/** arr_polyfit with all that the least squares give.
 *  @param x  (n), n >= 1
 *  @param y  (n), or (n, k) for k polynomials
 *  @param degree  of the polynomial
 *  @param rcond  singular values up to this times the largest count as 0; negative: n epsilons
 *  @param[in,null] weights  (n) what each residual is multiplied by; NULL: 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_coefficients  one new reference: (degree + 1) or (degree + 1, k), float64 or complex128
 *  @param[out] out_residuals  one new reference, () or (k): the sum of squared residuals, also where NumPy's is empty
 *  @param[out] out_rank  one new reference, () of int64: the rank of the scaled powers
 *  @param[out] out_s  one new reference, (min(n, degree + 1)): their singular values
 *  @param[out] out_rcond  the ratio below which singular values counted as 0
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LINALG,
 *      ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.polyfit */
ARR_API arr_status arr_polyfit_full(arr_array x, arr_array y, int64_t degree, double rcond, arr_array weights,
                                    arr_stream stream, arr_array *out_coefficients, arr_array *out_residuals,
                                    arr_array *out_rank, arr_array *out_s, double *out_rcond);

/** arr_polyfit with the covariance of the coefficients. ARR_E_LINALG where points and degree do not determine them.
 *  @param x  (n), n >= 1
 *  @param y  (n), or (n, k) for k polynomials
 *  @param degree  of the polynomial
 *  @param rcond  singular values up to this times the largest count as 0; negative: n epsilons
 *  @param[in,null] weights  (n) what each residual is multiplied by; NULL: 1
 *  @param scaled  1: times the sum of squared residuals over n - degree - 1, which is at least 1; 0: for weights that
 *      are 1 over the standard deviations
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_coefficients  one new reference: (degree + 1) or (degree + 1, k), float64 or complex128
 *  @param[out] out_covariance  one new reference: (degree + 1, degree + 1), of a y of two dimensions (.., .., k), (..,
 *      .., 1) where scaled is 0
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LINALG,
 *      ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.polyfit */
ARR_API arr_status arr_polyfit_cov(arr_array x, arr_array y, int64_t degree, double rcond, arr_array weights,
                                   int32_t scaled, arr_stream stream, arr_array *out_coefficients,
                                   arr_array *out_covariance);

/** Coefficients of the product of (x - root) over all roots. Integers give float64; complex roots that are
 *  conjugates of each other give real coefficients.
 *  @param roots  (n)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (n + 1), the first 1
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for complex roots, which are looked at   @threads any   @since 0.1
 *  @cupy cupy.poly */
ARR_API arr_status arr_poly(arr_array roots, arr_stream stream, arr_array *out);

/** Sum of two polynomials; the shorter has no high powers.
 *  @param a  (m), m >= 1
 *  @param b  (n), n >= 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, as long as the longer
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.polyadd, cupy.poly1d.__add__ */
ARR_API arr_status arr_polyadd(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Difference of two polynomials; the shorter has no high powers.
 *  @param a  (m), m >= 1
 *  @param b  (n), n >= 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, as long as the longer
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.polysub, cupy.poly1d.__sub__ */
ARR_API arr_status arr_polysub(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Product of two polynomials, by arr_convolve. Leading zeros of both are left out first.
 *  @param a  (m), m >= 1
 *  @param b  (n), n >= 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for both, which are looked at for leading zeros   @threads any   @since 0.1
 *  @cupy cupy.polymul, cupy.poly1d.__mul__ */
ARR_API arr_status arr_polymul(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Values of a polynomial by Horner's rule, twelve steps in one pass. Integers wrap.
 *  @param p  (n, ...), coefficients along the first axis; the others broadcast with x
 *  @param x  where
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.polyval, cupy.poly1d.__call__ */
ARR_API arr_status arr_polyval(arr_array p, arr_array x, arr_stream stream, arr_array *out);

/** Derivative of a polynomial. Of m coefficients or fewer nothing is left.
 *  @param p  (n)
 *  @param m  how often, 0 or more
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (n - m) or (0), of p's type with int64; where m is 0 a copy of p
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.poly1d.deriv */
ARR_API arr_status arr_polyder(arr_array p, int64_t m, arr_stream stream, arr_array *out);

/** Integral of a polynomial.
 *  @param p  (n)
 *  @param m  how often, 0 or more
 *  @param[in,null] k  the constants of integration, the first one's first: a number or (1) for all, or (m) or more;
 *      NULL: 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (n + m), float64 or complex128; where m is 0 a copy of p
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.poly1d.integ */
ARR_API arr_status arr_polyint(arr_array p, int64_t m, arr_array k, arr_stream stream, arr_array *out);

/** Quotient and remainder of two polynomials, u = quotient * v + remainder; floating. Leading zeros of v are left out
 *  first, and of the remainder leading ones of a magnitude of at most 1e-8, as by NumPy.
 *  @param u  (m), m >= 1
 *  @param v  (n), n >= 1, not only zeros
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_quotient  one new reference, max(m - n, 0) + 1 coefficients, n without leading zeros
 *  @param[out] out_remainder  one new reference, of a lower degree than v, or one 0
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for v and the remainder, which are looked at for leading zeros   @threads any   @since 0.1
 *  @cupy cupy.poly1d.__truediv__ */
ARR_API arr_status arr_polydiv(arr_array u, arr_array v, arr_stream stream, arr_array *out_quotient,
                               arr_array *out_remainder);

/** A polynomial times itself, by arr_convolve of squares. Its leading zeros are left out first. More than 2^17
 *  coefficients are ARR_E_SHAPE: the time goes with the square of their number.
 *  @param p  (m), m >= 1
 *  @param n  how many factors, 0 or more; of 0 the result is 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, of p's type
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for p, which is looked at for leading zeros   @threads any   @since 0.1
 *  @cupy cupy.poly1d.__pow__ */
ARR_API arr_status arr_polypow(arr_array p, int64_t n, arr_stream stream, arr_array *out);

/** Coefficients without leading zeros, of which one stays where there is nothing else.
 *  @param p  (n)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, a view
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for p, which is looked at   @threads any   @since 0.1
 *  @cupy cupy.poly1d.coeffs, cupy.poly1d.coef, cupy.poly1d.coefficients, cupy.poly1d.c */
ARR_API arr_status arr_polytrim(arr_array p, arr_stream stream, arr_array *out);

/** Degree of a polynomial, leading zeros left out; 0 of zeros only.
 *  @param p  (n)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  the degree
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.poly1d.order, cupy.poly1d.o, cupy.poly1d.__len__ */
ARR_API arr_status arr_polydegree(arr_array p, arr_stream stream, int64_t *out);

/* ------------------------------------ coefficients from the lowest power on: numpy.polynomial.polynomial */

/** Values of a polynomial by Horner's rule, twelve steps in one pass; floating.
 *  @param x  where
 *  @param c  (n, ...), coefficients along the first axis, n >= 1
 *  @param tensor  1: each polynomial at each x, shape of c without its first axis, then that of x; 0: they broadcast
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.polynomial.polynomial.polyval */
ARR_API arr_status arr_polynomial_val(arr_array x, arr_array c, int32_t tensor, arr_stream stream,
                                      arr_array *out);

/** Values of polynomials by their roots: the product of (x - root), in one pass; floating.
 *  @param x  where
 *  @param roots  (n, ...), along the first axis
 *  @param tensor  1: each polynomial at each x, as of arr_polynomial_val; 0: x broadcasts with roots and has fewer axes
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.polynomial.polynomial.polyvalfromroots */
ARR_API arr_status arr_polyvalfromroots(arr_array x, arr_array roots, int32_t tensor, arr_stream stream,
                                        arr_array *out);

/** Powers 0 to degree along a new last axis; floating.
 *  @param x  the array
 *  @param degree  0 or more
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., degree + 1)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.polynomial.polynomial.polyvander */
ARR_API arr_status arr_polyvander(arr_array x, int64_t degree, arr_stream stream, arr_array *out);

/** Companion matrix: ones below the diagonal, -c[:-1] / c[-1] in the last column; floating. Trailing zeros are left out
 *  first.
 *  @param c  (n), of degree 1 or more
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for c, which is looked at for trailing zeros   @threads any   @since 0.1
 *  @cupy cupy.polynomial.polynomial.polycompanion */
ARR_API arr_status arr_polycompanion(arr_array c, arr_stream stream, arr_array *out);

/** A vector without its trailing zeros, of which one stays where there is nothing else.
 *  @param c  (n)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, a view
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for c, which is looked at   @threads any   @since 0.1
 *  @cupy cupy.polynomial.polyutils.trimseq */
ARR_API arr_status arr_trimseq(arr_array c, arr_stream stream, arr_array *out);

/** Coefficients without trailing ones of a magnitude of at most tol; floating. Where nothing else is left, one 0.
 *  @param c  (n), n >= 1
 *  @param tol  0 or more
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for c, which is looked at   @threads any   @since 0.1
 *  @cupy cupy.polynomial.polyutils.trimcoef */
ARR_API arr_status arr_trimcoef(arr_array c, double tol, arr_stream stream, arr_array *out);

/** Vectors of coefficients in one floating type.
 *  @param n  number of arrays, 1 or more
 *  @param[in,len=n] arrays  vectors or numbers, not empty
 *  @param trim  1: without trailing zeros
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param nout  entries at out, n
 *  @param[out,len=nout] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the arrays where trim is 1   @threads any   @since 0.1
 *  @cupy cupy.polynomial.polyutils.as_series */
ARR_API arr_status arr_as_series(int32_t n, const arr_array *arrays, int32_t trim, arr_stream stream,
                                 int32_t nout, arr_array *out);

/* --------------------------------------------------------------------------------------- powers */

/** Vandermonde matrix: powers of each element in a row.
 *  @param x  (m)
 *  @param columns  how many powers, from 0 on; -1 for m
 *  @param increasing  1: the power 0 first, 0: last
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (m, columns), of x's type with int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.vander */
ARR_API arr_status arr_vander(arr_array x, int64_t columns, int32_t increasing, arr_stream stream,
                              arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
