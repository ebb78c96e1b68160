/* SPDX-License-Identifier: MIT */
/* factor.h - linear equations with sparse matrices: factors, triangular solves. */
#ifndef ARR_FACTOR_H
#define ARR_FACTOR_H
#include "arr/iterative.h"
#include "arr/solvers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A factored square matrix, to solve equations with many right-hand sides. It never changes; any number of threads
 * and streams may solve with it at the same time.
 *
 * LU factors are computed by SuperLU 5 (X. S. Li, An overview of SuperLU, ACM TOMS 31, 2005), which is opened at run
 * time: Debian's package is libsuperlu5, and ARR_SUPERLU may name the file. Without it they are ARR_E_UNAVAILABLE.
 * On CUDA they, and Cholesky and L D L' factors, are computed by cuDSS 1 (libcudss.so.1, or ARR_CUDA_CUDSS), which
 * takes no options and keeps its factors: their parts and determinants are ARR_E_UNSUPPORTED.
 * SuperLU counts in 32 bits, so that factors need less than 2^31 elements, and it ends the process where it cannot have
 * one of its small vectors. Other factors are libarr's own. Elements are float32, float64, complex64 or complex128;
 * matrices of integers are factored in float64. */
typedef struct arr_sparse_factor_s *arr_sparse_factor;

#define ARR_PERMC_COLAMD 0        /* approximate minimum degree of columns */
#define ARR_PERMC_NATURAL 1       /* as they are */
#define ARR_PERMC_MMD_ATA 2       /* minimum degree in the pattern of a^T a */
#define ARR_PERMC_MMD_AT_PLUS_A 3 /* minimum degree in the pattern of a^T + a, for symmetric patterns */

/** Options of LU factors. Zero everything, then set struct_size. The element of the diagonal is the pivot if it has at
 *  least the part diag_pivot_thresh, 0 to 1, of the largest magnitude of its column. */
typedef struct arr_sparse_lu_options {
  int64_t struct_size;             /* sizeof(arr_sparse_lu_options) */
  const double *diag_pivot_thresh; /* [1] NULL selects 1, partial pivoting */
  int32_t permc_spec;              /* ARR_PERMC_..., the order of columns */
  int32_t equilibrate;             /* 1: rows and columns are scaled first if their magnitudes differ much */
  int32_t symmetric_mode;          /* 1: the tree of a^T + a, not of a^T a; for small diag_pivot_thresh */
  int32_t reserved;                /* must be 0 */
} arr_sparse_lu_options;

/** Computes the LU factors of a sparse matrix, Pr a Pc = L U. Element (i, j) of a is element (perm_r[i], perm_c[j]) of
 *  L U.
 *  @param a  [n, n] matrix
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_UNAVAILABLE,
 *      ARR_E_MEMORY, ARR_E_DEVICE; ARR_E_LINALG if a is singular
 *  @sync waits */
ARR_API arr_status arr_sparse_lu(arr_sparse a, const arr_sparse_lu_options *options, arr_stream stream,
                                 arr_sparse_factor *out);

/** Computes incomplete LU factors without fill: L and U have elements only where a has some (Y. Saad, Iterative
 *  Methods for Sparse Linear Systems, 2003, section 10.3). Rows are not exchanged. No other library is needed.
 *  @param a  [n, n] matrix, each element of whose diagonal is stored
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE;
 *      ARR_E_LINALG if a pivot is 0
 *  @sync waits */
ARR_API arr_status arr_sparse_ilu0(arr_sparse a, arr_stream stream, arr_sparse_factor *out);

#define ARR_FILL_AMD 0     /* approximate minimum degree */
#define ARR_FILL_NATURAL 1 /* as they are */

/** Computes incomplete LU factors with thresholds: rows are eliminated one after the other, and what is small is
 *  dropped from each. The method is ILUT (Y. Saad, ILUT: a dual threshold incomplete LU factorization, Numer. Linear
 *  Algebra Appl. 1, 1994) with exchanges of columns. The arguments are those of SciPy's spilu, with the defaults 1e-4,
 *  10 and 0.1; with a drop_tol of 0 and a large fill_factor the factors are complete. Where a row has nothing left
 *  because of what was dropped, a small number is its pivot. No other library is needed. On CUDA the factors are
 *  computed on the host, and solves run on the device.
 *  @param a  [n, n] matrix
 *  @param drop_tol  0 to 1: elements below this part of the largest magnitude of their row of a are dropped
 *  @param fill_factor  1 or more: the most elements that the factors may have, as a multiple of those of a; rows
 *      keep their largest elements, at least as many as they had
 *  @param diag_pivot_thresh  0 to 1: an element of the diagonal is the pivot if it has at least this part of the
 *      largest magnitude of what is left of its row; otherwise columns are exchanged
 *  @param ordering  ARR_FILL_..., the order of rows, and of columns before the exchanges
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE; ARR_E_LINALG if a row of a, or of complete factors, is 0 or not finite
 *  @sync waits */
ARR_API arr_status arr_sparse_ilut(arr_sparse a, double drop_tol, double fill_factor,
                                   double diag_pivot_thresh, int32_t ordering, arr_stream stream,
                                   arr_sparse_factor *out);

/** Computes an incomplete Cholesky factor without fill: L of L L', with elements only where a has some. No other
 *  library is needed.
 *  @param a  [n, n] Hermitian matrix, of which only the lower triangle is read
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE;
 *      ARR_E_LINALG if a pivot is not positive
 *  @sync waits */
ARR_API arr_status arr_sparse_ic0(arr_sparse a, arr_stream stream, arr_sparse_factor *out);

/** Computes the Cholesky factor of a Hermitian, positive definite sparse matrix: P a P' = L L', where element (i, j) of
 *  a is element (perm[i], perm[j]) of L L'. The method is multifrontal (I. S. Duff, J. K. Reid, ACM TOMS 9, 1983), and
 *  the order is found by minimum degree (P. R. Amestoy, T. A. Davis, I. S. Duff, SIAM J. Matrix Anal. Appl. 17, 1996)
 *  and then depth first in the elimination tree. No other library is needed; BLAS makes it fast. On CUDA cuDSS computes
 *  it, and chooses the order.
 *  @param a  [n, n] matrix, of which only one triangle is read
 *  @param upper  true: reads the upper triangle; false: the lower one
 *  @param ordering  ARR_FILL_..., the order of columns
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_UNAVAILABLE,
 *      ARR_E_MEMORY, ARR_E_DEVICE; ARR_E_LINALG if a pivot is not positive
 *  @sync waits */
ARR_API arr_status arr_sparse_cholesky(arr_sparse a, bool upper, int32_t ordering, arr_stream stream,
                                       arr_sparse_factor *out);

/** Computes the factors L D L' of a Hermitian sparse matrix, with ones on L's diagonal and a real diagonal D; otherwise
 *  as arr_sparse_cholesky. Rows are not exchanged for the sake of pivots: every order has factors if a is definite or
 *  quasi-definite. A pivot of at most 16 eps times the largest magnitude of its column is an error. On CUDA cuDSS
 *  exchanges rows within blocks, and a pivot of 0 that is left is the error.
 *  @param a  [n, n] matrix, of which only one triangle is read
 *  @param upper  true: reads the upper triangle; false: the lower one
 *  @param ordering  ARR_FILL_..., the order of columns
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_UNAVAILABLE,
 *      ARR_E_MEMORY, ARR_E_DEVICE; ARR_E_LINALG if a pivot is about 0
 *  @sync waits */
ARR_API arr_status arr_sparse_ldl(arr_sparse a, bool upper, int32_t ordering, arr_stream stream,
                                  arr_sparse_factor *out);

/** Computes the factors of a matrix with other values of the same elements, as those of another one were computed. The
 *  order of columns is not searched again; the pivots of arr_sparse_lu are.
 *  @param factor  the factors of a matrix
 *  @param a  the other matrix: of the same dtype, with elements where that one had them
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE; ARR_E_LINALG as for the first matrix
 *  @sync waits */
ARR_API arr_status arr_sparse_refactor(arr_sparse_factor factor, arr_sparse a, arr_stream stream,
                                       arr_sparse_factor *out);

/** Solves op(a) x = b with the factors of a. b is cast to their dtype; a complex b with real factors has a complex x.
 *  @param factor  the factors of an [n, n] matrix
 *  @param b  [n] or [n, k] array
 *  @param op  ARR_MATRIX_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of b's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no; with incomplete factors it waits */
ARR_API arr_status arr_sparse_factor_solve(arr_sparse_factor factor, arr_array b, int32_t op,
                                           arr_stream stream, arr_array *out);

/** Solves op(a) x = b for a sparse b. Some columns at a time are dense, so that memory for the result and for a few
 *  million elements is needed; those that are 0 are not stored.
 *  @param factor  the factors of an [n, n] matrix
 *  @param b  [n, k] matrix
 *  @param op  ARR_MATRIX_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: x, [n, k], canonical, in ARR_SPARSE_CSC
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits */
ARR_API arr_status arr_sparse_factor_solve_sparse(arr_sparse_factor factor, arr_sparse b, int32_t op,
                                                  arr_stream stream, arr_sparse *out);

/** Returns the factors as matrices, and the permutations, of which Cholesky factors have one. L has ones on its
 *  diagonal, except that of arr_sparse_ic0 and arr_sparse_cholesky. The diagonal of U is D after arr_sparse_ldl.
 *  @param factor  the factors
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,null] out_lower  one new reference: L, canonical, in ARR_SPARSE_CSC; NULL: not wanted
 *  @param[out,null] out_upper  one new reference: U, L' or D L', as out_lower
 *  @param[out,null] out_perm_r  one new reference: [n] int32, of rows
 *  @param[out,null] out_perm_c  one new reference: [n] int32, of columns
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits */
ARR_API arr_status arr_sparse_factor_parts(arr_sparse_factor factor, arr_stream stream, arr_sparse *out_lower,
                                           arr_sparse *out_upper, arr_array *out_perm_r,
                                           arr_array *out_perm_c);

/** Computes the sign and the logarithm of the magnitude of a determinant, as arr_slogdet.
 *  @param factor  the factors of arr_sparse_lu, without equilibrate, arr_sparse_cholesky or arr_sparse_ldl
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_sign  one new reference, [], of magnitude 1
 *  @param[out] out_logdet  one new reference, [], real
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits */
ARR_API arr_status arr_sparse_factor_slogdet(arr_sparse_factor factor, arr_stream stream, arr_array *out_sign,
                                             arr_array *out_logdet);

#define ARR_FACTOR_LU 0       /* of arr_sparse_lu */
#define ARR_FACTOR_ILU0 1     /* of arr_sparse_ilu0 */
#define ARR_FACTOR_IC0 2      /* of arr_sparse_ic0 */
#define ARR_FACTOR_CHOLESKY 3 /* of arr_sparse_cholesky */
#define ARR_FACTOR_LDL 4      /* of arr_sparse_ldl */
#define ARR_FACTOR_ILUT 5     /* of arr_sparse_ilut */

/** Properties of factors. */
typedef struct arr_sparse_factor_properties {
  int64_t struct_size; /* sizeof(arr_sparse_factor_properties); set by the caller */
  int64_t kind;        /* ARR_FACTOR_...  */
  int64_t n;           /* number of rows and of columns */
  int64_t dtype;       /* type of the elements */
  int64_t nnz;         /* number of elements of both factors, with zeros that fill blocks */
} arr_sparse_factor_properties;

/** Returns the properties of factors.
 *  @param factor  the factors
 *  @param[in,out] properties  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_sparse_factor_info(arr_sparse_factor factor, arr_sparse_factor_properties *properties);

/** Makes the operator whose products are solutions with the factors, the inverse of the factored matrix: a
 *  preconditioner, which solvers take as m of their options.
 *  @param factor  the factors of an [n, n] matrix
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_linop_from_factor(arr_sparse_factor factor, arr_linop *out);

/** Returns a new handle of factors.
 *  @param factor  the factors
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_sparse_factor_retain(arr_sparse_factor factor, arr_sparse_factor *out);

/** Releases a handle of factors.
 *  @param[in,null] factor  may be NULL
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_sparse_factor_release(arr_sparse_factor factor);

/** Solves a x = b for a sparse matrix and a dense right-hand side, by arr_sparse_lu with the default options, in the
 *  type to which both promote.
 *  @param a  [n, n] matrix
 *  @param b  [n] or [n, k] array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of b's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_UNAVAILABLE,
 *      ARR_E_MEMORY, ARR_E_DEVICE; ARR_E_LINALG if a is singular
 *  @sync waits */
ARR_API arr_status arr_sparse_solve(arr_sparse a, arr_array b, arr_stream stream, arr_array *out);

/** Solves a x = b for sparse matrices, by arr_sparse_lu with the default options and arr_sparse_factor_solve_sparse, in
 *  the type to which both promote.
 *  @param a  [n, n] matrix
 *  @param b  [n, k] matrix
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: x, [n, k], canonical, in ARR_SPARSE_CSC
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_UNAVAILABLE,
 *      ARR_E_MEMORY, ARR_E_DEVICE; ARR_E_LINALG if a is singular
 *  @sync waits */
ARR_API arr_status arr_sparse_solve_sparse(arr_sparse a, arr_sparse b, arr_stream stream, arr_sparse *out);

/** Solves op(a) x = b for a triangle of a sparse matrix, in the type to which both promote. Elements of the other
 *  triangle are not read. On CUDA it takes as many products with a as the longest chain of rows that depend on each
 *  other.
 *  @param a  [n, n] matrix
 *  @param b  [n] or [n, k] array
 *  @param flags  ARR_TRIANGULAR_... values, combined with |, or 0
 *  @param op  ARR_MATRIX_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of b's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE;
 *      ARR_E_LINALG if an element of the diagonal is 0 or not stored
 *  @sync waits */
ARR_API arr_status arr_sparse_solve_triangular(arr_sparse a, arr_array b, int32_t flags, int32_t op,
                                               arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
