/* SPDX-License-Identifier: MIT */
/* decompositions.h - factorizations of matrices into triangular, orthogonal and diagonal factors. */
#ifndef ARR_DECOMPOSITIONS_H
#define ARR_DECOMPOSITIONS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays are stacks of matrices in their last two dimensions. Integers and bool are computed in float64; 16-bit
 * floats are an error. Inputs may have any strides; results are column-major or row-major, whichever is faster. */

#define ARR_LINALG_ERROR 0 /* a matrix for which the computation fails is an error; the call waits */
#define ARR_LINALG_NAN 1   /* the results for a matrix for which the computation fails are nan */

#define ARR_QR_REDUCED 0  /* q (..., m, k), r (..., k, n), k = min(m, n) */
#define ARR_QR_COMPLETE 1 /* q (..., m, m), r (..., m, n) */
#define ARR_QR_R 2        /* r (..., k, n) only */
#define ARR_QR_RAW 3      /* Householder vectors h (..., n, m), transposed, and their factors tau (..., k) */

#define ARR_MATRIX_PLAIN 0      /* the matrix */
#define ARR_MATRIX_TRANSPOSED 1 /* its transpose */
#define ARR_MATRIX_ADJOINT 2    /* its conjugate transpose */

/** Computes the Cholesky decomposition of symmetric or Hermitian positive definite matrices: a = L L', or with upper a
 *  = U' U. Only that triangle of a is read; the other triangle of the result is 0.
 *  @param a  (..., n, n)
 *  @param upper  true: computes U; false: computes L
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of such matrices are nan, and only cuSOLVER itself
 *      may wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_cholesky(arr_array a, bool upper, int32_t on_failure, arr_stream stream,
                                arr_array *out);

/** Computes the QR decomposition a = q r by Householder reflections: q has orthonormal columns, r is upper triangular.
 *  @param a  (..., m, n)
 *  @param mode  ARR_QR_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,null] out_q  one new reference; for ARR_QR_RAW it is h; for ARR_QR_R it is NULL, and this pointer may be
 *      NULL
 *  @param[out] out_r  one new reference; for ARR_QR_RAW it is tau
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_qr(arr_array a, int32_t mode, arr_stream stream, arr_array *out_q, arr_array *out_r);

/** Computes the singular value decomposition a = u diag(s) vh; u has orthonormal columns, vh has orthonormal rows.
 *  @param a  (..., m, n), finite
 *  @param full_matrices  true: u (..., m, m) and vh (..., n, n); false: only the first k = min(m, n) columns of u and
 *      rows of vh
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of such matrices are nan, and only cuSOLVER itself
 *      may wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,null] out_u  one new reference; NULL if it is not wanted
 *  @param[out] out_s  one new reference, (..., k), real, in descending order
 *  @param[out,null] out_vh  one new reference; NULL if it is not wanted. If both are, only s is computed
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_svd(arr_array a, bool full_matrices, int32_t on_failure, arr_stream stream,
                           arr_array *out_u, arr_array *out_s, arr_array *out_vh);

/** Computes the singular values in descending order.
 *  @param a  (..., m, n), finite
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of such matrices are nan, and only cuSOLVER itself
 *      may wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., min(m, n)), real
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_svdvals(arr_array a, int32_t on_failure, arr_stream stream, arr_array *out);

/** Computes the eigenvalues and eigenvectors of symmetric or Hermitian matrices. One triangle is read.
 *  @param a  (..., n, n), finite
 *  @param lower  true: the lower triangle is read; false: the upper triangle is read
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of such matrices are nan, and only cuSOLVER itself
 *      may wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_values  one new reference, (..., n), real, in ascending order
 *  @param[out,null] out_vectors  one new reference, (..., n, n), with orthonormal columns; NULL if they are not wanted
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_eigh(arr_array a, bool lower, int32_t on_failure, arr_stream stream,
                            arr_array *out_values, arr_array *out_vectors);

/** Computes the eigenvalues of symmetric or Hermitian matrices. One triangle is read.
 *  @param a  (..., n, n), finite
 *  @param lower  true: the lower triangle is read; false: the upper triangle is read
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of such matrices are nan, and only cuSOLVER itself
 *      may wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n), real, in ascending order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_eigvalsh(arr_array a, bool lower, int32_t on_failure, arr_stream stream,
                                arr_array *out);

/** Computes the eigenvalues and eigenvectors of square matrices. Both results are complex, also for real matrices. On a
 *  GPU the call needs a cuSOLVER with cusolverDnXgeev.
 *  @param a  (..., n, n), finite
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of such matrices are nan, and only cuSOLVER itself
 *      may wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_values  one new reference, (..., n), complex, in no particular order
 *  @param[out,null] out_vectors  one new reference, (..., n, n); the columns have length 1; NULL if they are not wanted
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG, ARR_E_UNSUPPORTED
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_eig(arr_array a, int32_t on_failure, arr_stream stream, arr_array *out_values,
                           arr_array *out_vectors);

/** Computes the eigenvalues of square matrices. They are complex, also for real matrices. On a GPU the call needs a
 *  cuSOLVER with cusolverDnXgeev.
 *  @param a  (..., n, n), finite
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of such matrices are nan, and only cuSOLVER itself
 *      may wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n), complex, in no particular order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG, ARR_E_UNSUPPORTED
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_eigvals(arr_array a, int32_t on_failure, arr_stream stream, arr_array *out);

/** Computes the complex Schur form a = q t q^H of square matrices: t is upper triangular with the eigenvalues on its
 *  diagonal, q is unitary. Both are complex, also for real matrices. On the host LAPACK's gees computes it, on CUDA a
 *  kernel of libarr, with a block of threads per matrix, which suits stacks better than one large matrix.
 *  @param a  (..., n, n), finite
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of such matrices are nan, and the call does not wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_t  one new reference, (..., n, n), complex
 *  @param[out] out_q  one new reference, (..., n, n), complex
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_schur(arr_array a, int32_t on_failure, arr_stream stream, arr_array *out_t,
                             arr_array *out_q);

/** Computes the polar decomposition by singular values: u has orthonormal columns or rows, p is Hermitian and has no
 *  negative eigenvalue. a = u p, or with left a = p u.
 *  @param a  (..., m, n), finite
 *  @param left  true: a = p u; false: a = u p
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of such matrices are nan, and only cuSOLVER itself
 *      may wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_u  one new reference, (..., m, n)
 *  @param[out] out_p  one new reference, (..., n, n), or with left (..., m, m)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_polar(arr_array a, bool left, int32_t on_failure, arr_stream stream, arr_array *out_u,
                             arr_array *out_p);

/** Computes the LU decomposition a = p l u with partial pivoting; k = min(m, n). Singular matrices have one too.
 *  @param a  (..., m, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_p  one new reference, (..., m, m), a permutation matrix, real
 *  @param[out] out_l  one new reference, (..., m, k), with ones on its diagonal
 *  @param[out] out_u  one new reference, (..., k, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_lu(arr_array a, arr_stream stream, arr_array *out_p, arr_array *out_l,
                          arr_array *out_u);

/** Computes the factors of Hermitian (or symmetric real) matrices that need not be positive definite: a = lu d lu^H,
 *  where d has blocks of one or two rows on its diagonal. Rows of lu are exchanged so that the factors do not grow
 *  (J. R. Bunch, L. Kaufman, "Some stable methods for calculating inertia and solving symmetric linear systems",
 *  Mathematics of Computation 31, 1977). On the host LAPACK's sytrf and hetrf compute them, on CUDA a kernel of libarr,
 *  with a block of threads per matrix.
 *  @param a  (..., n, n)
 *  @param lower  true: a's lower triangle is read, and lu is a lower one with exchanged rows; false: the upper one
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_lu  one new reference, (..., n, n)
 *  @param[out] out_d  one new reference, (..., n, n)
 *  @param[out,positions] out_perm  one new reference, (..., n) of int32: the order of lu's rows in which they make a
 *      triangle with a diagonal of ones
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_ldl(arr_array a, bool lower, arr_stream stream, arr_array *out_lu, arr_array *out_d,
                           arr_array *out_perm);

/** Computes the LU decomposition in the form that arr_lu_solve takes. Singular matrices have one too.
 *  @param a  (..., m, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_lu  one new reference, (..., m, n): u, and l below its diagonal
 *  @param[out] out_pivots  one new reference, (..., min(m, n)) of int32: row i was exchanged with row pivots[i], in the
 *      order of i
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_lu_factor(arr_array a, arr_stream stream, arr_array *out_lu, arr_array *out_pivots);

#ifdef __cplusplus
}
#endif
#endif
