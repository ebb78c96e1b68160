/* SPDX-License-Identifier: MIT */
/* matrix_functions.h - square roots, logarithms, powers, signs, circular and hyperbolic functions of matrices. */
#ifndef ARR_MATRIX_FUNCTIONS_H
#define ARR_MATRIX_FUNCTIONS_H
#include "arr/solvers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays are stacks of matrices in their last two dimensions. Integers and bool are computed in float64; 16-bit
 * floats are an error. The result of a matrix that has none, or that contains nan or inf, is nan; those of the others
 * in the stack are unaffected. arr_expm is in solvers.h. */

/** Computes the principal square roots of matrices: x x = a, where the eigenvalues of x have no negative real part.
 *  They are complex, also for real matrices, because the root of a real matrix with a negative eigenvalue is; arr_real
 *  returns the real root of others. The method is that of A. Bjorck and S. Hammarling (1983), on the complex Schur form
 *  of arr_schur and in blocks. A singular matrix may have a root, which then is less accurate, or none: inf or nan.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n), complex
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_sqrtm(arr_array a, arr_stream stream, arr_array *out);

/** Computes the principal logarithms of matrices: exp(x) = a, where the imaginary parts of the eigenvalues of x are in
 *  (-pi, pi]. They are complex, also for real matrices. The method is inverse scaling and squaring: square roots of the
 *  triangle of arr_schur and Pade's approximant of degree 7 (N. J. Higham, "Functions of Matrices", 2008, chapter 11).
 *  A singular matrix has no logarithm: the result is nan, or arbitrary if rounding hides that the matrix is singular.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n), complex
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_logm(arr_array a, arr_stream stream, arr_array *out);

/** Computes powers of matrices with any real exponent: exp(p log(a)), and for integers the product of p matrices or the
 *  inverse of that. They are complex, also for real matrices; arr_matrix_power computes integer powers in a's dtype.
 *  The method for the fraction of p is that of N. J. Higham and L. Lin (2011): square roots of the triangle of
 *  arr_schur, Pade's approximant of degree 7, and squaring. Fractional and negative powers of a singular matrix are
 *  nan, as by arr_logm.
 *  @param a  (..., n, n)
 *  @param p  the exponent, finite and below 2^63
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n), complex
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes, if p is not an integer */
ARR_API arr_status arr_fractional_matrix_power(arr_array a, double p, arr_stream stream, arr_array *out);

/** Computes the signs of matrices: x x = 1, where eigenvalues of a with positive real part become 1 and those with
 *  negative real part become -1. The method is Newton's iteration with scaling by norms (N. J. Higham, "Functions of
 *  Matrices", 2008, chapter 5). A matrix with an eigenvalue on the imaginary axis, a singular one for example, has no
 *  sign: the result is nan, or arbitrary if rounding moves the eigenvalue off the axis.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_signm(arr_array a, arr_stream stream, arr_array *out);

/** Computes the cosines of matrices, (exp(i a) + exp(-i a)) / 2.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_cosm(arr_array a, arr_stream stream, arr_array *out);

/** Computes the sines of matrices, (exp(i a) - exp(-i a)) / 2i, by a series where the 1-norm is at most 1.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_sinm(arr_array a, arr_stream stream, arr_array *out);

/** Computes the tangents of matrices, x with cos(a) x = sin(a). If the cosine is singular, the result is nan.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_tanm(arr_array a, arr_stream stream, arr_array *out);

/** Computes the hyperbolic cosines of matrices, (exp(a) + exp(-a)) / 2.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_coshm(arr_array a, arr_stream stream, arr_array *out);

/** Computes the hyperbolic sines of matrices, (exp(a) - exp(-a)) / 2, by a series where the 1-norm is at most 1.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_sinhm(arr_array a, arr_stream stream, arr_array *out);

/** Computes the hyperbolic tangents of matrices, x with cosh(a) x = sinh(a). If the hyperbolic cosine is singular, the
 *  result is nan.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_tanhm(arr_array a, arr_stream stream, arr_array *out);

/** Computes the exponentials of matrices and their Frechet derivatives: exp(a + h e) = out_expm + h out_frechet + o(h).
 *  Both are blocks of the exponential of a matrix of 2 n rows (N. J. Higham, "Functions of Matrices", 2008, section
 *  3.2).
 *  @param a  (..., n, n)
 *  @param e  (..., n, n), the direction; the stacks broadcast
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_expm  one new reference, (..., n, n)
 *  @param[out] out_frechet  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_expm_frechet(arr_array a, arr_array e, arr_stream stream, arr_array *out_expm,
                                    arr_array *out_frechet);

#ifdef __cplusplus
}
#endif
#endif
