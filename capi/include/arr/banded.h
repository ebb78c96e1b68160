/* SPDX-License-Identifier: MIT */
/* banded.h - linear equations whose matrices have a few diagonals. */
#ifndef ARR_BANDED_H
#define ARR_BANDED_H
#include "arr/decompositions.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Solves tridiagonal systems of equations along an axis of b. Equation i is
 *  lower[i - 1] x[i - 1] + diagonal[i] x[i] + upper[i] x[i + 1] = b[i]. The four arrays broadcast, and one with a
 *  single dimension lies along the axis: the same diagonal for all systems. The method is Gaussian elimination with
 *  partial pivoting, as in LAPACK's gtsv. On CUDA a thread solves a system from its first equation to its last, which
 *  is fast for many systems and slow for a long one.
 *  @param lower  the diagonal below the main one, n - 1 elements along the axis
 *  @param diagonal  the main diagonal, n elements along the axis
 *  @param upper  the diagonal above the main one, n - 1 elements along the axis
 *  @param b  the right sides, n elements along the axis
 *  @param axis  the axis of the equations, among the dimensions to which the four arrays broadcast
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of singular systems are nan, and the call does not
 *      wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of the shape to which the arrays broadcast, with n elements along the axis
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_solve_tridiagonal(arr_array lower, arr_array diagonal, arr_array upper, arr_array b,
                                         int32_t axis, int32_t on_failure, arr_stream stream, arr_array *out);

/** Solves a x = b for a matrix with l diagonals below the main one and u above it, by LU decomposition with partial
 *  pivoting. On the host LAPACK's gbsv computes it, on CUDA a kernel of libarr, with a block of threads per matrix.
 *  @param ab  (..., l + u + 1, n), the diagonals: element (i, j) of a is at [u + i - j, j]; the other elements are not
 *      read
 *  @param b  (..., n, k); one dimension (n) is one vector for all matrices
 *  @param l  number of diagonals below the main one
 *  @param u  number of diagonals above the main one
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of singular matrices are nan, and the call does not
 *      wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, k), or (..., n) for a vector
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_solve_banded(arr_array ab, arr_array b, int64_t l, int64_t u, int32_t on_failure,
                                    arr_stream stream, arr_array *out);

/** Solves a x = b for a positive definite matrix with few diagonals, by Cholesky factors. On the host LAPACK's pbsv
 *  computes it, on CUDA a kernel of libarr, with a block of threads per matrix.
 *  @param ab  (..., d + 1, n), the main diagonal and d on one side of it: with `lower` element (i, j) of a is at
 *      [i - j, j], else at [d + i - j, j]; the other elements are not read
 *  @param b  (..., n, k); one dimension (n) is one vector for all matrices
 *  @param lower  true: the diagonals below the main one; false: those above it
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of matrices that are not positive definite are nan,
 *      and the call does not wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, k), or (..., n) for a vector
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_solveh_banded(arr_array ab, arr_array b, bool lower, int32_t on_failure,
                                     arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
