/* SPDX-License-Identifier: MIT */
/* solvers.h - linear equations, inverses, determinants, least squares, exponentials of matrices. */
#ifndef ARR_SOLVERS_H
#define ARR_SOLVERS_H
#include "arr/decompositions.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Solves a x = b by LU decomposition.
 *  @param a  (..., n, n)
 *  @param b  (..., n, k); of one dimension (n) one vector for all
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: nan in the results of such a matrix; only cuSOLVER may wait
 *      then
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n, k), or (..., n) of a vector
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN   @threads any   @since 0.1
 *  @cupy cupy.linalg.solve */
ARR_API arr_status arr_solve(arr_array a, arr_array b, int32_t on_failure, arr_stream stream, arr_array *out);

/** Inverse matrices.
 *  @param a  (..., n, n)
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: nan in the results of such a matrix; only cuSOLVER may wait
 *      then
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN   @threads any   @since 0.1
 *  @cupy cupy.linalg.inv */
ARR_API arr_status arr_inv(arr_array a, int32_t on_failure, arr_stream stream, arr_array *out);

/** Determinants; 0 of singular matrices.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (...)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.linalg.det */
ARR_API arr_status arr_det(arr_array a, arr_stream stream, arr_array *out);

/** Signs and logarithms of determinants, which neither overflow nor underflow: det = sign * exp(logdet). Of singular
 *  matrices 0 and -inf.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_sign  one new reference, (...), of magnitude 1 or 0
 *  @param[out] out_logdet  one new reference, (...), real
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.linalg.slogdet */
ARR_API arr_status arr_slogdet(arr_array a, arr_stream stream, arr_array *out_sign, arr_array *out_logdet);

/** Solves op(a) x = b, of the factors of a that arr_lu_factor returns. Of a singular matrix x is inf or nan.
 *  @param lu  (..., n, n)
 *  @param pivots  (..., n) of int32, each in 0 .. n-1, which is looked at; not while the work is captured into a graph,
 *      where the nearest row is taken for others
 *  @param b  (..., n, k); of one dimension (n) one vector for all
 *  @param op  ARR_MATRIX_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n, k), or (..., n) of a vector
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.lu_solve */
ARR_API arr_status arr_lu_solve(arr_array lu, arr_array pivots, arr_array b, int32_t op, arr_stream stream,
                                arr_array *out);

/** Solves op(a) x = b, of which a is triangular; the other triangle is not read.
 *  @param a  (..., n, n)
 *  @param b  (..., n, k); of one dimension (n) one vector for all
 *  @param lower  1: the lower triangle, 0: the upper one
 *  @param unit_diagonal  1: the diagonal is not read but 1
 *  @param op  ARR_MATRIX_...
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: nan in the results of such a matrix; only cuSOLVER may wait
 *      then
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n, k), or (..., n) of a vector
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.solve_triangular */
ARR_API arr_status arr_solve_triangular(arr_array a, arr_array b, int32_t lower, int32_t unit_diagonal,
                                        int32_t op, int32_t on_failure, arr_stream stream, arr_array *out);

/** Least squares: the shortest x with the least |a x - b|, by singular values.
 *  @param a  (..., m, n), finite
 *  @param b  (..., m, k); of one dimension (m) one vector for all
 *  @param rcond  singular values up to this times the largest count as 0; negative: max(m, n) epsilons
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_x  one new reference, (..., n, k), or (..., n) of a vector
 *  @param[out] out_residuals  one new reference, (..., k), or (...) of a vector: |a x - b| squared of each column, also
 *      where NumPy's is empty
 *  @param[out] out_rank  one new reference, (...) of int64
 *  @param[out] out_s  one new reference, (..., min(m, n)), the singular values of a
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.linalg.lstsq */
ARR_API arr_status arr_lstsq(arr_array a, arr_array b, double rcond, arr_stream stream, arr_array *out_x,
                             arr_array *out_residuals, arr_array *out_rank, arr_array *out_s);

/** Moore and Penrose's pseudoinverses, by singular values.
 *  @param a  (..., m, n), finite
 *  @param rcond  singular values up to this times the largest count as 0; negative: max(m, n) epsilons
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n, m)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.linalg.pinv */
ARR_API arr_status arr_pinv(arr_array a, double rcond, arr_stream stream, arr_array *out);

/** Ranks: how many singular values are above a limit. Of less than two dimensions 1 where an element is not 0.
 *  @param a  (..., m, n), finite
 *  @param tol  the limit; negative: rtol times the largest singular value
 *  @param rtol  negative: max(m, n) epsilons
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (...) of int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.linalg.matrix_rank */
ARR_API arr_status arr_matrix_rank(arr_array a, double tol, double rtol, arr_stream stream, arr_array *out);

/** Solves a x = b, of which a is a matrix whose rows are b's dimensions and whose columns are x's.
 *  @param a  b's shape, then x's shape, as many elements each
 *  @param b  any shape
 *  @param naxes  how many axes; 0: none are moved
 *  @param[in,len=naxes] axes  of a, moved to its end in this order first
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, x
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.linalg.tensorsolve */
ARR_API arr_status arr_tensorsolve(arr_array a, arr_array b, int32_t naxes, const int32_t *axes,
                                   arr_stream stream, arr_array *out);

/** Inverse as of a matrix whose rows are the first `ind` dimensions.
 *  @param a  as many elements in the first ind dimensions as in the others
 *  @param ind  1 or more
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, the other dimensions, then the first ind
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.linalg.tensorinv */
ARR_API arr_status arr_tensorinv(arr_array a, int32_t ind, arr_stream stream, arr_array *out);

/** e to the power of matrices, by scaling, Pade's approximant of degree 13, and squaring.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.expm */
ARR_API arr_status arr_expm(arr_array a, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
