/* SPDX-License-Identifier: MIT */
/* decompositions.h - factorizations of matrices: triangular, orthogonal, diagonal factors. */
#ifndef ARR_DECOMPOSITIONS_H
#define ARR_DECOMPOSITIONS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays are stacks of matrices in their last two dimensions. Integers and bool are computed in float64; 16-bit
 * floats are refused. Inputs of any strides are taken; results lie column-major or row-major as is quickest. */

#define ARR_LINALG_ERROR 0 /* a matrix without such a decomposition is an error, which waits for the device */
#define ARR_LINALG_NAN 1   /* its results are nan */

#define ARR_QR_REDUCED 0  /* q (..., m, k), r (..., k, n), k = min(m, n) */
#define ARR_QR_COMPLETE 1 /* q (..., m, m), r (..., m, n) */
#define ARR_QR_R 2        /* r (..., k, n) alone */
#define ARR_QR_RAW 3 /* Householder's vectors h (..., n, m), transposed, and their factors tau (..., k) */

#define ARR_MATRIX_PLAIN 0      /* the matrix */
#define ARR_MATRIX_TRANSPOSED 1 /* its transpose */
#define ARR_MATRIX_ADJOINT 2    /* its conjugate transpose */

/** Cholesky decomposition of symmetric or Hermitian positive definite matrices: a = L L', or with upper
 *  a = U' U. Only that triangle of a is read; the other one of the result is 0.
 *  @param a  (..., n, n)
 *  @param upper  1: U, 0: L
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: nan in the results of such a matrix; only cuSOLVER may wait
 *      then
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN   @threads any   @since 0.1
 *  @cupy cupy.linalg.cholesky */
ARR_API arr_status arr_cholesky(arr_array a, int32_t upper, int32_t on_failure, arr_stream stream,
                                arr_array *out);

/** QR decomposition a = q r, by Householder's reflections: q has orthonormal columns, r is upper triangular.
 *  @param a  (..., m, n)
 *  @param mode  ARR_QR_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,null] out_q  one new reference; of ARR_QR_RAW h; of ARR_QR_R NULL, and may be NULL
 *  @param[out] out_r  one new reference; of ARR_QR_RAW tau
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.linalg.qr */
ARR_API arr_status arr_qr(arr_array a, int32_t mode, arr_stream stream, arr_array *out_q, arr_array *out_r);

/** Singular value decomposition a = u diag(s) vh; u and vh have orthonormal columns and rows.
 *  @param a  (..., m, n), finite
 *  @param full_matrices  1: u (..., m, m) and vh (..., n, n); 0: only the first k = min(m, n) columns of u and rows of
 *      vh
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: nan in the results of such a matrix; only cuSOLVER may wait
 *      then
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_u  one new reference
 *  @param[out] out_s  one new reference, (..., k), real, descending
 *  @param[out] out_vh  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN   @threads any   @since 0.1
 *  @cupy cupy.linalg.svd */
ARR_API arr_status arr_svd(arr_array a, int32_t full_matrices, int32_t on_failure, arr_stream stream,
                           arr_array *out_u, arr_array *out_s, arr_array *out_vh);

/** Singular values, descending.
 *  @param a  (..., m, n), finite
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: nan in the results of such a matrix; only cuSOLVER may wait
 *      then
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., min(m, n)), real
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN   @threads any   @since 0.1 */
ARR_API arr_status arr_svdvals(arr_array a, int32_t on_failure, arr_stream stream, arr_array *out);

/** Eigenvalues and eigenvectors of symmetric or Hermitian matrices, of which one triangle is read.
 *  @param a  (..., n, n), finite
 *  @param lower  1: the lower triangle, 0: the upper one
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: nan in the results of such a matrix; only cuSOLVER may wait
 *      then
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_values  one new reference, (..., n), real, ascending
 *  @param[out] out_vectors  one new reference, (..., n, n), orthonormal columns
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN   @threads any   @since 0.1
 *  @cupy cupy.linalg.eigh */
ARR_API arr_status arr_eigh(arr_array a, int32_t lower, int32_t on_failure, arr_stream stream,
                            arr_array *out_values, arr_array *out_vectors);

/** Eigenvalues of symmetric or Hermitian matrices, of which one triangle is read.
 *  @param a  (..., n, n), finite
 *  @param lower  1: the lower triangle, 0: the upper one
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: nan in the results of such a matrix; only cuSOLVER may wait
 *      then
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n), real, ascending
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN   @threads any   @since 0.1
 *  @cupy cupy.linalg.eigvalsh */
ARR_API arr_status arr_eigvalsh(arr_array a, int32_t lower, int32_t on_failure, arr_stream stream,
                                arr_array *out);

/** Eigenvalues and eigenvectors of square matrices. Both are complex, whatever a is. On a GPU it needs a cuSOLVER
 *  that has cusolverDnXgeev.
 *  @param a  (..., n, n), finite
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: nan in the results of such a matrix; only cuSOLVER may wait
 *      then
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_values  one new reference, (..., n), complex, in no order
 *  @param[out] out_vectors  one new reference, (..., n, n), columns of length 1
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG, ARR_E_UNSUPPORTED
 *  @sync yes, unless ARR_LINALG_NAN   @threads any   @since 0.1
 *  @cupy cupy.linalg.eig */
ARR_API arr_status arr_eig(arr_array a, int32_t on_failure, arr_stream stream, arr_array *out_values,
                           arr_array *out_vectors);

/** Eigenvalues of square matrices, complex whatever a is. On a GPU it needs a cuSOLVER that has cusolverDnXgeev.
 *  @param a  (..., n, n), finite
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: nan in the results of such a matrix; only cuSOLVER may wait
 *      then
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n), complex, in no order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG, ARR_E_UNSUPPORTED
 *  @sync yes, unless ARR_LINALG_NAN   @threads any   @since 0.1
 *  @cupy cupy.linalg.eigvals */
ARR_API arr_status arr_eigvals(arr_array a, int32_t on_failure, arr_stream stream, arr_array *out);

/** LU decomposition a = p l u, with rows exchanged for the largest pivots; k = min(m, n). Singular matrices
 *  have one too.
 *  @param a  (..., m, n)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_p  one new reference, (..., m, m), a permutation, real
 *  @param[out] out_l  one new reference, (..., m, k), ones on its diagonal
 *  @param[out] out_u  one new reference, (..., k, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.lu */
ARR_API arr_status arr_lu(arr_array a, arr_stream stream, arr_array *out_p, arr_array *out_l,
                          arr_array *out_u);

/** LU decomposition as arr_lu_solve takes it. Singular matrices have one too.
 *  @param a  (..., m, n)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_lu  one new reference, (..., m, n): u, and l below its diagonal
 *  @param[out] out_pivots  one new reference, (..., min(m, n)) of int32: row i was exchanged with row pivots[i], one
 *      after the other
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.lu_factor */
ARR_API arr_status arr_lu_factor(arr_array a, arr_stream stream, arr_array *out_lu, arr_array *out_pivots);

#ifdef __cplusplus
}
#endif
#endif
