/* SPDX-License-Identifier: MIT */
/* solvers.h - linear equations, inverses, determinants, least squares, equations and exponentials of matrices. */
#ifndef ARR_SOLVERS_H
#define ARR_SOLVERS_H
#include "arr/decompositions.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Solves a x = b by LU decomposition.
 *  @param a  (..., n, n)
 *  @param b  (..., n, k); one dimension (n) is one vector for all matrices
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of such matrices are nan, and only cuSOLVER itself
 *      may wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, k), or (..., n) for a vector
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_solve(arr_array a, arr_array b, int32_t on_failure, arr_stream stream, arr_array *out);

/** Computes inverse matrices.
 *  @param a  (..., n, n)
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of such matrices are nan, and only cuSOLVER itself
 *      may wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_inv(arr_array a, int32_t on_failure, arr_stream stream, arr_array *out);

/** Computes determinants. They are 0 for singular matrices.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (...)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_det(arr_array a, arr_stream stream, arr_array *out);

/** Computes signs and logarithms of determinants, which neither overflow nor underflow: det = sign * exp(logdet). For
 *  singular matrices they are 0 and -inf.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_sign  one new reference, (...), of magnitude 1 or 0
 *  @param[out] out_logdet  one new reference, (...), real
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_slogdet(arr_array a, arr_stream stream, arr_array *out_sign, arr_array *out_logdet);

/** Solves op(a) x = b with the factors of a that arr_lu_factor returns. For a singular matrix x is inf or nan.
 *  @param lu  (..., n, n)
 *  @param pivots  (..., n) of int32, each in 0 .. n-1. The call checks the range, except while work is captured into a
 *      graph: other values then select the nearest row
 *  @param b  (..., n, k); one dimension (n) is one vector for all matrices
 *  @param op  ARR_MATRIX_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, k), or (..., n) for a vector
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_lu_solve(arr_array lu, arr_array pivots, arr_array b, int32_t op, arr_stream stream,
                                arr_array *out);

#define ARR_TRIANGULAR_LOWER 1         /* flag: the lower triangle is read, not the upper one */
#define ARR_TRIANGULAR_UNIT_DIAGONAL 2 /* flag: the diagonal is assumed to be 1 and is not read */

/** Solves op(a) x = b for triangular a. The other triangle is not read.
 *  @param a  (..., n, n)
 *  @param b  (..., n, k); one dimension (n) is one vector for all matrices
 *  @param flags  ARR_TRIANGULAR_... values, combined with |, or 0
 *  @param op  ARR_MATRIX_...
 *  @param on_failure  ARR_LINALG_ERROR, or ARR_LINALG_NAN: results of such matrices are nan, and only cuSOLVER itself
 *      may wait
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, k), or (..., n) for a vector
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes, unless ARR_LINALG_NAN */
ARR_API arr_status arr_solve_triangular(arr_array a, arr_array b, int32_t flags, int32_t op,
                                        int32_t on_failure, arr_stream stream, arr_array *out);

/** Solves a x = b with the Cholesky factor of a that arr_cholesky returns. The other triangle of c is not read. If an
 *  element of a factor's diagonal is 0, x is nan.
 *  @param c  (..., n, n): L of a = L L' with `lower`, else U of a = U' U
 *  @param b  (..., n, k); one dimension (n) is one vector for all matrices
 *  @param lower  true: c is L, a lower triangle; false: it is U
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, k), or (..., n) for a vector
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_cho_solve(arr_array c, arr_array b, bool lower, arr_stream stream, arr_array *out);

/** Solves least-squares problems: the shortest x with the least |a x - b|, by singular values.
 *  @param a  (..., m, n), finite
 *  @param b  (..., m, k); one dimension (m) is one vector for all matrices
 *  @param rcond  singular values up to rcond times the largest count as 0; negative selects max(m, n) epsilons
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_x  one new reference, (..., n, k), or (..., n) for a vector
 *  @param[out] out_residuals  one new reference, (..., k), or (...) for a vector: |a x - b| squared of each column,
 *      also where NumPy's is empty
 *  @param[out] out_rank  one new reference, (...) of int64
 *  @param[out] out_s  one new reference, (..., min(m, n)), the singular values of a
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes */
ARR_API arr_status arr_lstsq(arr_array a, arr_array b, double rcond, arr_stream stream, arr_array *out_x,
                             arr_array *out_residuals, arr_array *out_rank, arr_array *out_s);

/** Computes Moore-Penrose pseudoinverses by singular values.
 *  @param a  (..., m, n), finite
 *  @param rcond  singular values up to rcond times the largest count as 0; negative selects max(m, n) epsilons
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, m)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes */
ARR_API arr_status arr_pinv(arr_array a, double rcond, arr_stream stream, arr_array *out);

/** Computes Moore-Penrose pseudoinverses like arr_pinv, with a limit for each matrix.
 *  @param a  (..., m, n), finite
 *  @param rcond  the limits, real; an array that broadcasts to the shape of the stack, (...). Singular values up to the
 *      matrix's rcond times the largest count as 0
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, m)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes */
ARR_API arr_status arr_pinv_with(arr_array a, arr_array rcond, arr_stream stream, arr_array *out);

/** Computes ranks: the number of singular values above a limit. For less than two dimensions the rank is 1 if an
 *  element is not 0.
 *  @param a  (..., m, n), finite
 *  @param tol  the limit; negative selects rtol times the largest singular value
 *  @param rtol  relative limit; negative selects max(m, n) epsilons
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (...) of int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes */
ARR_API arr_status arr_matrix_rank(arr_array a, double tol, double rtol, arr_stream stream, arr_array *out);

/** Solves a x = b, where the dimensions of b are the rows of the matrix a and those of x are its columns.
 *  @param a  b's shape, followed by x's shape, with as many elements
 *  @param b  the right side, of any shape
 *  @param naxes  number of axes; 0 moves none
 *  @param[in,len=naxes] axes  axes of a that are first moved to its end, in this order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, x
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes */
ARR_API arr_status arr_tensorsolve(arr_array a, arr_array b, int32_t naxes, const int32_t *axes,
                                   arr_stream stream, arr_array *out);

/** Computes the inverse of the matrix whose rows are the first `ind` dimensions.
 *  @param a  the array, with as many elements in the first ind dimensions as in the others
 *  @param ind  1 or more
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: the other dimensions, followed by the first ind
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG
 *  @sync yes */
ARR_API arr_status arr_tensorinv(arr_array a, int32_t ind, arr_stream stream, arr_array *out);

/** Solves Sylvester's equation a x + x b = q by complex Schur forms of a and b (R. H. Bartels, G. W. Stewart, 1972).
 *  The stacks broadcast. If an eigenvalue of a is the negative of one of b, the equation has no unique solution: the
 *  result is inf or nan, or arbitrary if rounding hides that.
 *  @param a  (..., m, m)
 *  @param b  (..., n, n)
 *  @param q  (..., m, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., m, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_solve_sylvester(arr_array a, arr_array b, arr_array q, arr_stream stream,
                                       arr_array *out);

/** Solves the continuous Lyapunov equation a x + x a^H = q, as arr_solve_sylvester does. If q is Hermitian, x is,
 *  except for rounding.
 *  @param a  (..., n, n)
 *  @param q  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_solve_continuous_lyapunov(arr_array a, arr_array q, arr_stream stream, arr_array *out);

/** Solves the discrete Lyapunov (or Stein) equation a x a^H - x + q = 0, by a bilinear transformation to a continuous
 *  one. If the product of an eigenvalue of a and the conjugate of another is 1, it has no unique solution: the result
 *  is inf or nan, or arbitrary if rounding hides that.
 *  @param a  (..., n, n)
 *  @param q  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_solve_discrete_lyapunov(arr_array a, arr_array q, arr_stream stream, arr_array *out);

/** Computes the exponentials of matrices by scaling, Pade's approximant of degree 13, and squaring.
 *  @param a  (..., n, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync yes */
ARR_API arr_status arr_expm(arr_array a, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
