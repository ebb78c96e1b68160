/* SPDX-License-Identifier: MIT */
/* iterative.h - linear operators; iterative solvers of linear equations, least squares and eigenvalues. */
#ifndef ARR_ITERATIVE_H
#define ARR_ITERATIVE_H
#include "arr/decompositions.h"
#include "arr/sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A linear operator is anything that has products with vectors: a sparse matrix, a dense one, a function, or a
 * combination of these. It is never changed. Solvers take an operator, so that a matrix need not be stored.
 *
 * Solvers compute in float32, float64, complex64 or complex128, the type to which the operator and the right-hand
 * side promote; integers, bool and 16-bit floats count as float64. All work is done on the operator's device. Numbers
 * of an iteration stay there too: after every check_every iterations the host reads whether the method has finished.
 * An iteration after the end changes nothing, so that the result does not depend on check_every. */
typedef struct arr_linop_s *arr_linop;

/** Makes an operator of a sparse matrix.
 *  @param a  [m, n] matrix
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_linop_from_sparse(arr_sparse a, arr_linop *out);

/** Makes an operator of a dense matrix, which is not copied.
 *  @param a  [m, n] array
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_linop_from_dense(arr_array a, arr_linop *out);

/** Makes an operator of functions of the caller. They run in the calls that need a product, on the thread of the call.
 *  They must not write to x, nor use it after they return. A status other than ARR_OK ends the call, which returns it.
 *  @param rows  number of rows
 *  @param columns  number of columns
 *  @param dtype  the dtype of the operator's elements
 *  @param[in,null] device  the device of the vectors; NULL selects the host
 *  @param matvec  called as matvec(ctx, x, stream, out): writes a new reference to a x, for x of shape [columns] or
 *      [columns, k] and work in the stream, which may be NULL
 *  @param[in,null] rmatvec  the same for the adjoint, for x of shape [rows] or [rows, k]; NULL: the operator has no
 *      adjoint and no transpose (ARR_E_UNSUPPORTED)
 *  @param[in,null] drop  called once as drop(ctx) after the last use, from any thread; may be NULL
 *  @param[in,null] ctx  passed to all three
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE; on failure drop is not called
 *  @sync no */
ARR_API arr_status
arr_linop_from_function(int64_t rows, int64_t columns, arr_dtype dtype, const arr_device *device,
                        arr_status (*matvec)(void *ctx, arr_array x, arr_stream stream, arr_array *out),
                        arr_status (*rmatvec)(void *ctx, arr_array x, arr_stream stream, arr_array *out),
                        void (*drop)(void *ctx), void *ctx, arr_linop *out);

/** Makes the operator whose products are its operands.
 *  @param n  number of rows and columns
 *  @param dtype  the dtype of the elements
 *  @param[in,null] device  the device of the vectors; NULL selects the host
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_linop_identity(int64_t n, arr_dtype dtype, const arr_device *device, arr_linop *out);

/** Makes the operator that multiplies elements by those of a vector, a diagonal matrix.
 *  @param d  [n] array; it is not copied
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_linop_diagonal(arr_array d, arr_linop *out);

/** Makes Jacobi's preconditioner, which divides elements by those of a matrix's diagonal, where these are not 0.
 *  @param a  square matrix
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements on the diagonal */
ARR_API arr_status arr_linop_jacobi(arr_sparse a, arr_stream stream, arr_linop *out);

/** Makes a multigrid preconditioner of a symmetric, positive definite matrix by smoothed aggregation (P. Vanek,
 *  J. Mandel, M. Brezina, Computing 56, 1996): one V-cycle with a step of Jacobi's method before and after the
 *  correction. Rows are aggregated on the host; the products run where the matrix is. The last matrix has at most 300
 *  rows, and its inverse is dense.
 *  @param a  square matrix of real elements; integers are treated as float64
 *  @param strength  0 to 1: neighbours with elements of at least this part of sqrt(a[i, i] a[j, j]) are aggregated,
 *      half of it on each further level; 0.08 in the paper, 0 takes all
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_LINALG, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits */
ARR_API arr_status arr_linop_multigrid(arr_sparse a, double strength, arr_stream stream, arr_linop *out);

/** Returns the transpose of an operator.
 *  @param a  the operator
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_linop_transpose(arr_linop a, arr_linop *out);

/** Returns the adjoint of an operator, the conjugated transpose.
 *  @param a  the operator
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_linop_adjoint(arr_linop a, arr_linop *out);

/** Returns the sum of two operators.
 *  @param a  [m, n] operator
 *  @param b  [m, n] operator
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_linop_sum(arr_linop a, arr_linop b, arr_linop *out);

/** Returns an operator times a number.
 *  @param a  the operator
 *  @param alpha  a scalar, weak or not
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_linop_scaled(arr_linop a, const arr_value *alpha, arr_linop *out);

/** Returns the product of two operators, which applies b first.
 *  @param a  [m, n] operator
 *  @param b  [n, k] operator
 *  @param[out] out  one new reference; [m, k]
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_linop_product(arr_linop a, arr_linop b, arr_linop *out);

/** Returns a power of a square operator.
 *  @param a  the operator
 *  @param p  the exponent, 0 or more
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_linop_power(arr_linop a, int64_t p, arr_linop *out);

/** Computes the product of an operator with a vector, or with each column of a matrix.
 *  @param a  [m, n] operator
 *  @param x  [n] or [n, k] array; [m] or [m, k] for the transpose and the adjoint
 *  @param op  ARR_MATRIX_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [m] or [m, k], for the transpose and the adjoint [n] or [n, k]
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE, or the status of a function of the caller
 *  @sync no */
ARR_API arr_status arr_linop_apply(arr_linop a, arr_array x, int32_t op, arr_stream stream, arr_array *out);

/** Properties of an operator. */
typedef struct arr_linop_properties {
  int64_t struct_size;  /* sizeof(arr_linop_properties); set by the caller */
  int64_t rows;         /* number of rows */
  int64_t columns;      /* number of columns */
  int64_t dtype;        /* type of the elements */
  int64_t adjoint;      /* 1 if it has an adjoint and a transpose, otherwise 0 */
  int64_t device_type;  /* ARR_HOST, ... */
  int64_t device_index; /* index of the device */
} arr_linop_properties;

/** Returns the properties of an operator.
 *  @param a  the operator
 *  @param[in,out] properties  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_linop_info(arr_linop a, arr_linop_properties *properties);

/** Returns a new handle of an operator.
 *  @param a  the operator
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_linop_retain(arr_linop a, arr_linop *out);

/** Releases a handle of an operator.
 *  @param[in,null] a  may be NULL
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_linop_release(arr_linop a);

/* ------------------------------------------------------------------------------------------ linear equations */

/** Options of solvers. Zero everything, then set struct_size. The callback is called after each look at the result as
 *  callback(ctx, iterations, norm of the residual), on the thread of the call; true ends the solver. With a callback,
 *  check_every is 1 unless it is given. */
typedef struct arr_solve_options {
  int64_t struct_size; /* sizeof(arr_solve_options) */
  double rtol;         /* tolerance as a share of the norm of b; 0 selects 1e-5; negative: 0 */
  double atol;         /* tolerance of the residual's norm, the larger of the two counts */
  int64_t maxiter;     /* largest number of iterations; 0 selects the method's default; negative: none */
  arr_array x0;        /* [n] array, where to start; NULL: zeros */
  arr_linop m;         /* preconditioner, an approximate inverse; NULL: none */
  int64_t check_every; /* iterations between two looks at the result; 0 selects 1 on the host, 16 on CUDA */
  int64_t restart;     /* vectors of a cycle; 0 selects 20, lgmres: 30 */
  int64_t augment;     /* lgmres: vectors kept of former cycles; 0 selects 3; negative: none */
  double shift;        /* minres: solves (a - shift I) x = b */
  bool (*callback)(void *ctx, int64_t iterations, double residual); /* true ends the solver */
  void *ctx;                                                        /* passed to callback */
} arr_solve_options;

/** The report of a solver. The code is 0 if the tolerance was reached, and positive if maxiter or the callback ended
 *  the method before: the number of iterations, of gmres and lgmres of cycles. It is negative after a breakdown:
 *  -10 if residuals are orthogonal, -11 if a direction or a length is 0, -1 otherwise and if a number is not finite.
 *  Unlike in SciPy the residual is looked at after the last iteration too. */
typedef struct arr_solve_info {
  int64_t struct_size; /* sizeof(arr_solve_info); set by the caller */
  int64_t info;        /* the code, as in SciPy */
  int64_t iterations;  /* iterations that were done; of gmres and lgmres, products in cycles */
  double residual;     /* norm of the residual, as the method knows it */
} arr_solve_info;

/** Solves a x = b for a Hermitian, positive definite operator, by conjugate gradients (M. R. Hestenes, E. Stiefel,
 *  Methods of conjugate gradients for solving linear systems, 1952).
 *  @param a  [n, n] operator
 *  @param b  [n] or [n, 1] array
 *  @param[in,null] options  the options; NULL selects the defaults; maxiter is 10 n
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; x, [n], the last iterate also if the tolerance was not reached
 *  @param[in,out,null] info  struct_size is read; the other fields are written; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, or the status
 *      of a function of the caller
 *  @sync waits */
ARR_API arr_status arr_solve_cg(arr_linop a, arr_array b, const arr_solve_options *options, arr_stream stream,
                                arr_array *out, arr_solve_info *info);

/** Solves a x = b by the squared conjugate gradient method (P. Sonneveld, CGS, 1989); otherwise as arr_solve_cg.
 *  @param a  [n, n] operator
 *  @param b  [n] or [n, 1] array
 *  @param[in,null] options  the options; NULL selects the defaults; maxiter is 10 n
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; x, [n]
 *  @param[in,out,null] info  struct_size is read; the other fields are written; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, or the status
 *      of a function of the caller
 *  @sync waits */
ARR_API arr_status arr_solve_cgs(arr_linop a, arr_array b, const arr_solve_options *options,
                                 arr_stream stream, arr_array *out, arr_solve_info *info);

/** Solves a x = b by the stabilized method of biconjugate gradients (H. A. van der Vorst, Bi-CGSTAB, 1992);
 *  otherwise as arr_solve_cg.
 *  @param a  [n, n] operator
 *  @param b  [n] or [n, 1] array
 *  @param[in,null] options  the options; NULL selects the defaults; maxiter is 10 n
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; x, [n]
 *  @param[in,out,null] info  struct_size is read; the other fields are written; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, or the status
 *      of a function of the caller
 *  @sync waits */
ARR_API arr_status arr_solve_bicgstab(arr_linop a, arr_array b, const arr_solve_options *options,
                                      arr_stream stream, arr_array *out, arr_solve_info *info);

/** Solves a x = b by the generalized minimal residual method with restarts (Y. Saad, M. H. Schultz, GMRES, 1986);
 *  otherwise as arr_solve_cg. New vectors are made orthogonal twice by classical Gram-Schmidt sums. The residual that
 *  the callback gets is that of the preconditioned equations.
 *  @param a  [n, n] operator
 *  @param b  [n] or [n, 1] array
 *  @param[in,null] options  the options; NULL selects the defaults; maxiter counts cycles of `restart` products and
 *      is 10 n
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; x, [n]
 *  @param[in,out,null] info  struct_size is read; the other fields are written; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, or the status
 *      of a function of the caller
 *  @sync waits */
ARR_API arr_status arr_solve_gmres(arr_linop a, arr_array b, const arr_solve_options *options,
                                   arr_stream stream, arr_array *out, arr_solve_info *info);

/** Solves a x = b for a Hermitian operator, which may be indefinite or singular, by the minimal residual method
 *  (C. C. Paige, M. A. Saunders, Solution of sparse indefinite systems of linear equations, 1975); otherwise as
 *  arr_solve_cg. As in SciPy, rtol bounds the residual by the norms of a and x, or shows a least-squares solution; atol
 *  is not used. The preconditioner must be positive definite.
 *  @param a  [n, n] operator
 *  @param b  [n] or [n, 1] array
 *  @param[in,null] options  the options; NULL selects the defaults; maxiter is 5 n
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; x, [n]
 *  @param[in,out,null] info  struct_size is read; the other fields are written; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, or the status
 *      of a function of the caller
 *  @sync waits */
ARR_API arr_status arr_solve_minres(arr_linop a, arr_array b, const arr_solve_options *options,
                                    arr_stream stream, arr_array *out, arr_solve_info *info);

/** Solves a x = b by the quasi-minimal residual method without transposes (R. W. Freund, SIAM J. Sci. Comput. 14,
 *  1993); otherwise as arr_solve_cg.
 *  The tolerance is a share of the first residual's norm, and the residual is a bound, as in SciPy.
 *  @param a  [n, n] operator
 *  @param b  [n] or [n, 1] array
 *  @param[in,null] options  the options; NULL selects the defaults; maxiter is the smaller of
 *      10 n and 10000
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; x, [n]
 *  @param[in,out,null] info  struct_size is read; the other fields are written; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, or the status
 *      of a function of the caller
 *  @sync waits */
ARR_API arr_status arr_solve_tfqmr(arr_linop a, arr_array b, const arr_solve_options *options,
                                   arr_stream stream, arr_array *out, arr_solve_info *info);

/** Solves a x = b by the minimal residual method with vectors kept from former cycles (A. H. Baker, E. R. Jessup,
 *  T. Manteuffel, LGMRES, 2005); otherwise as arr_solve_cg.
 *  The callback is called as by arr_solve_gmres.
 *  @param a  [n, n] operator
 *  @param b  [n] or [n, 1] array
 *  @param[in,null] options  the options; NULL selects the defaults; maxiter counts cycles and is 1000
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; x, [n]
 *  @param[in,out,null] info  struct_size is read; the other fields are written; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, or the status
 *      of a function of the caller
 *  @sync waits */
ARR_API arr_status arr_solve_lgmres(arr_linop a, arr_array b, const arr_solve_options *options,
                                    arr_stream stream, arr_array *out, arr_solve_info *info);

/* -------------------------------------------------------------------------------------------- least squares */

/** Options of arr_solve_lsqr and arr_solve_lsmr. Zero everything, then set struct_size. */
typedef struct arr_lsqr_options {
  int64_t struct_size; /* sizeof(arr_lsqr_options) */
  double damp;         /* minimizes |a x - b|^2 + |damp x|^2 */
  double atol;         /* relative error of a; 0 selects 1e-6; negative: 0 */
  double btol;         /* relative error of b; 0 selects 1e-6; negative: 0 */
  double conlim;       /* limit of the condition number; 0 selects 1e8; negative: none */
  int64_t maxiter;     /* iterations; 0 selects 2 n in lsqr, the smaller of m and n in lsmr; negative: none */
  arr_array x0;        /* [n] array, where to start; NULL: zeros */
  bool (*callback)(void *ctx, int64_t iterations, double residual); /* true ends the solver */
  void *ctx;                                                        /* passed to callback */
} arr_lsqr_options;

/** The report of a least-squares solver. The rule is SciPy's istop: 0: x = 0 or x0 is the solution; 1: a x = b within
 *  atol and btol; 2: the least-squares solution within atol; 3: the condition number reached conlim; 4, 5 and 6: as
 *  1, 2 and 3 within what numbers can hold; 7: maxiter or the callback ended it. */
typedef struct arr_lsqr_info {
  int64_t struct_size; /* sizeof(arr_lsqr_info); set by the caller */
  int64_t istop;       /* the rule that ended the method */
  int64_t iterations;  /* iterations that were done */
  double r1norm;       /* norm of b - a x; lsmr: r2norm */
  double r2norm;       /* square root of |b - a x|^2 + |damp x|^2 */
  double anorm;        /* estimate of a's Frobenius norm */
  double acond;        /* estimate of a's condition number */
  double arnorm;       /* estimate of the norm of the gradient, of the adjoint times the residual */
  double xnorm;        /* norm of x */
} arr_lsqr_info;

/** Solves a least-squares problem by Golub and Kahan's bidiagonalization (C. C. Paige, M. A. Saunders, LSQR, 1982).
 *  @param a  [m, n] operator that has an adjoint
 *  @param b  [m] or [m, 1] array
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; x, [n]
 *  @param[out,null] out_var  one new reference; [n], estimates of the diagonal of the inverse of a^H a + damp^2 I; may
 *      be NULL
 *  @param[in,out,null] info  struct_size is read; the other fields are written; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE, or the status of a function of the caller
 *  @sync waits in each iteration */
ARR_API arr_status arr_solve_lsqr(arr_linop a, arr_array b, const arr_lsqr_options *options,
                                  arr_stream stream, arr_array *out, arr_array *out_var, arr_lsqr_info *info);

/** Solves a least-squares problem as MINRES would solve its normal equations (D. C.-L. Fong, M. A. Saunders, LSMR,
 *  2011); otherwise as arr_solve_lsqr.
 *  @param a  [m, n] operator that has an adjoint
 *  @param b  [m] or [m, 1] array
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; x, [n]
 *  @param[in,out,null] info  struct_size is read; the other fields are written; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE, or the status of a function of the caller
 *  @sync waits in each iteration */
ARR_API arr_status arr_solve_lsmr(arr_linop a, arr_array b, const arr_lsqr_options *options,
                                  arr_stream stream, arr_array *out, arr_lsqr_info *info);

/* ----------------------------------------------------------------------------- eigenvalues, singular values */

#define ARR_EIGEN_LM 0 /* the largest magnitudes */
#define ARR_EIGEN_SM 1 /* the smallest magnitudes */
#define ARR_EIGEN_LA 2 /* the largest */
#define ARR_EIGEN_SA 3 /* the smallest */
#define ARR_EIGEN_BE 4 /* both ends: half of them the smallest, the others the largest */
#define ARR_EIGEN_LR 5 /* the largest real parts */
#define ARR_EIGEN_SR 6 /* the smallest real parts */
#define ARR_EIGEN_LI 7 /* the largest imaginary parts; of a real operator, their largest magnitudes */
#define ARR_EIGEN_SI 8 /* the smallest imaginary parts; of a real operator, their smallest magnitudes */

/** Options of arr_eigsh, arr_eigs and arr_svds. Zero everything, then set struct_size. */
typedef struct arr_eigsh_options {
  int64_t struct_size; /* sizeof(arr_eigsh_options) */
  int64_t ncv;     /* vectors of the basis, more than k; 0 selects the larger of 2 k + 1 and 20, at most n */
  int64_t maxiter; /* restarts; 0 selects 10 n */
  double tol;      /* relative error of the values; 0 selects that of the type */
  arr_array v0;    /* [n] array, the first vector; NULL: random numbers, the same in each call */
} arr_eigsh_options;

/** Computes a few eigenvalues and eigenvectors of a Hermitian operator, by the Lanczos method with thick restarts
 *  (K. Wu, H. Simon, SIAM J. Matrix Anal. Appl. 22, 2000) and full orthogonalization. The host reads numbers once in a
 *  restart. Copies of a multiple eigenvalue may be missed, as by every method that begins with one vector.
 *  @param a  [n, n] operator
 *  @param k  number of eigenvalues, 1 to n
 *  @param which  ARR_EIGEN_...
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_w  one new reference; [k], real, in ascending order
 *  @param[out,null] out_v  one new reference; [n, k], orthonormal eigenvectors in columns; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_LINALG (not converged), ARR_E_MEMORY,
 *      ARR_E_DEVICE, or the status of a function of the caller
 *  @sync waits */
ARR_API arr_status arr_eigsh(arr_linop a, int64_t k, int32_t which, const arr_eigsh_options *options,
                             arr_stream stream, arr_array *out_w, arr_array *out_v);

/** Computes a few eigenvalues and eigenvectors of any square operator, by Arnoldi's method with implicit restarts (D.
 *  C. Sorensen, SIAM J. Matrix Anal. Appl. 13, 1992), as SciPy's eigs. The basis of a real operator is real, and pairs
 *  of conjugated eigenvalues are exact; if k divides one, the value with the positive imaginary part is computed.
 *  Eigenvalues near zero converge slowly: give an operator that solves equations, and ARR_EIGEN_LM.
 *  @param a  [n, n] operator
 *  @param k  number of eigenvalues, 1 to n
 *  @param which  ARR_EIGEN_LM, SM, LR, SR, LI or SI
 *  @param[in,null] options  the options; NULL selects the defaults; ncv is more than k + 1, or n
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_w  one new reference; [k], complex, the most wanted one first
 *  @param[out,null] out_v  one new reference; [n, k], complex unit eigenvectors in columns; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_LINALG (not converged), ARR_E_MEMORY,
 *      ARR_E_DEVICE, or the status of a function of the caller
 *  @sync waits */
ARR_API arr_status arr_eigs(arr_linop a, int64_t k, int32_t which, const arr_eigsh_options *options,
                            arr_stream stream, arr_array *out_w, arr_array *out_v);

/** Computes a few singular values and vectors of an operator, by arr_eigsh of the product with its adjoint.
 *  @param a  [m, n] operator that has an adjoint
 *  @param k  number of singular values, 1 to the smaller of m and n
 *  @param which  ARR_EIGEN_LM or ARR_EIGEN_SM
 *  @param[in,null] options  the options; NULL selects the defaults; v0 has the smaller of m and n elements
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,null] out_u  one new reference; [m, k], orthonormal left vectors in columns; may be NULL
 *  @param[out] out_s  one new reference; [k], real, in ascending order
 *  @param[out,null] out_vh  one new reference; [k, n], conjugated right vectors in rows; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_LINALG (not
 *      converged), ARR_E_MEMORY, ARR_E_DEVICE, or the status of a function of the caller
 *  @sync waits */
ARR_API arr_status arr_svds(arr_linop a, int64_t k, int32_t which, const arr_eigsh_options *options,
                            arr_stream stream, arr_array *out_u, arr_array *out_s, arr_array *out_vh);

/** Options of arr_lobpcg. Zero everything, then set struct_size. */
typedef struct arr_lobpcg_options {
  int64_t struct_size; /* sizeof(arr_lobpcg_options) */
  arr_linop b;         /* Hermitian, positive definite: solves a x = w b x; NULL: the identity */
  arr_linop m;         /* preconditioner, an approximate inverse of a; NULL: none */
  int64_t smallest;    /* 1: the smallest eigenvalues; 0: the largest */
  double tol;          /* norm of a residual; 0 selects sqrt(1e-15) n, as SciPy */
  int64_t maxiter;     /* 0 selects 20 */
} arr_lobpcg_options;

/** Computes the extreme eigenvalues of a Hermitian operator from approximate eigenvectors, by the locally optimal block
 *  method of conjugate gradients (A. V. Knyazev, LOBPCG, 2001). As in SciPy, the vectors may be less exact than tol
 *  after maxiter iterations.
 *  @param a  [n, n] operator
 *  @param x  [n, k] array of linearly independent columns, of which 3 k are at most n
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_w  one new reference; [k], real: the largest in descending, or the smallest in ascending order
 *  @param[out] out_v  one new reference; [n, k], eigenvectors in columns, orthonormal with regard to b
 *  @param[out,null] iterations  the number of iterations; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_LINALG, ARR_E_MEMORY, ARR_E_DEVICE, or
 *      the status of a function of the caller
 *  @sync waits in each iteration */
ARR_API arr_status arr_lobpcg(arr_linop a, arr_array x, const arr_lobpcg_options *options, arr_stream stream,
                              arr_array *out_w, arr_array *out_v, int64_t *iterations);

/* ---------------------------------------------------------------------------------- functions of operators */

/** Computes an estimate of the 1-norm of an operator, the largest sum of the magnitudes of a column. It is not above
 *  the norm, and mostly equal to it (N. J. Higham, F. Tisseur, SIAM J. Matrix Anal. Appl. 21, 2000).
 *  @param a  [n, n] operator that has an adjoint
 *  @param t  number of vectors of a product, 1 or more; with n of them the norm is exact; SciPy's default is 2
 *  @param itmax  largest number of iterations, 2 or more; SciPy's default is 5
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] est  the estimate
 *  @param[out,null] out_v  one new reference; [n], a vector with sum of magnitudes 1; may be NULL
 *  @param[out,null] out_w  one new reference; [n], a v, whose sum of magnitudes is the estimate; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE, or the status of a function of the caller
 *  @sync waits in each iteration */
ARR_API arr_status arr_onenormest(arr_linop a, int64_t t, int64_t itmax, arr_stream stream, double *est,
                                  arr_array *out_v, arr_array *out_w);

/** Options of arr_expm_multiply. Zero everything, then set struct_size. */
typedef struct arr_expm_options {
  int64_t struct_size;    /* sizeof(arr_expm_options) */
  int64_t num;            /* number of points in time, 2 or more; 0: one, 1 */
  double start;           /* the first one */
  double stop;            /* the last one */
  int64_t exclude_stop;   /* 1: stop comes after the last one, at the same distance as the others */
  const double *trace_re; /* [1] the trace of the operator, about; NULL: that of a matrix, 0 of others */
  const double *trace_im; /* [1] its imaginary part; NULL: 0 */
} arr_expm_options;

/** Computes exp(t a) b, the exponential of an operator times a matrix, at one or several times t. The exponential
 *  itself is not computed, but Taylor polynomials times b (A. H. Al-Mohy, N. J. Higham, SIAM J. Sci. Comput. 33, 2011),
 *  of the operator minus its mean eigenvalue: the trace makes it cheaper, and need not be exact. Numbers of products
 *  are those of float64 in float32 too.
 *  @param a  [n, n] operator; unless it is a matrix it needs an adjoint
 *  @param b  [n] or [n, k] array
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of b's shape; with num, [num] and b's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_LINALG (the norm is not finite),
 *      ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE, or the status of a function of the caller
 *  @sync waits in each product */
ARR_API arr_status arr_expm_multiply(arr_linop a, arr_array b, const arr_expm_options *options,
                                     arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
