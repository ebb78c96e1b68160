/* SPDX-License-Identifier: MIT */
/* products.h - products of vectors and tensors, Einstein sums, powers, traces and norms. */
#ifndef ARR_PRODUCTS_H
#define ARR_PRODUCTS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------ two operands */

/** Multiplies over the last axis of a and the second-to-last axis of b, or the only axis of b. An array without
 *  dimensions multiplies every element. Integers wrap as in NumPy; for bool, the product is OR of ANDs.
 *  @param a  (..., k), or without dimensions
 *  @param b  (..., k, n) or (k), or without dimensions
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: the other axes of a, followed by those of b
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_dot(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Computes the sum of conj(a) times b over all elements in row-major order, in one pass.
 *  @param a  the array
 *  @param b  an array with as many elements, of any shape
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, without dimensions
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_vdot(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Multiplies over the last axes of both.
 *  @param a  (..., k), or without dimensions
 *  @param b  (..., k), or without dimensions
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: the other axes of a, followed by those of b
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_inner(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Multiplies every element of a by every element of b, both in row-major order.
 *  @param a  the array, of m elements
 *  @param b  the array, of n elements
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (m, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_outer(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Multiplies over pairs of axes. An operand is not copied if its strides allow its summed axes, and its other axes, to
 *  be merged into one. The result's order in memory is the one that needs no copy.
 *  @param a  the array
 *  @param b  the array
 *  @param n  number of pairs
 *  @param[in,null,len=n] axes_a  axes of a; NULL together with axes_b selects the last n
 *  @param[in,null,len=n] axes_b  axes of b, of the same extents; NULL together with axes_a selects the first n
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: the other axes of a, followed by those of b
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_tensordot(arr_array a, arr_array b, int32_t n, const int32_t *axes_a,
                                 const int32_t *axes_b, arr_stream stream, arr_array *out);

/** Computes the Kronecker product: blocks of b, each multiplied by an element of a.
 *  @param a  the array, of at most ARR_MAX_NDIM / 2 dimensions
 *  @param b  the array, of at most ARR_MAX_NDIM / 2 dimensions; axes of extent 1 are put before the axes of the operand
 *      with fewer dimensions
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; each extent is the product of both extents
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_kron(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Computes the Khatri-Rao product: the Kronecker product of each pair of columns.
 *  @param a  (..., m, k)
 *  @param b  (..., n, k)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., m * n, k)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_khatri_rao(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/* --------------------------------------------------------------------------------- several operands */

#define ARR_EINSUM_AUTO 0    /* the cheapest order for up to 7 operands, ARR_EINSUM_GREEDY for more */
#define ARR_EINSUM_NONE 1    /* all operands in one pass, if that takes at most 16 operands */
#define ARR_EINSUM_GREEDY 2  /* contracts next the pair whose result grows least beyond its operands */
#define ARR_EINSUM_OPTIMAL 3 /* the cheapest order of all, for up to 12 operands */

/** Computes Einstein's sum of products by NumPy's subscripts, such as "ij,jk->ik". A label that occurs twice in an
 *  operand takes its diagonal, an ellipsis stands for axes that broadcast, and without "->" the result has the labels
 *  that occur once, in alphabetical order. Several operands are contracted in pairs, and pairs by matrix products,
 *  without copies if strides allow. With one operand and nothing to sum the result is a view.
 *  @param subscripts  the labels of each operand's axes, separated by commas; then "->" and the labels of the result
 *  @param n  number of operands
 *  @param[in,len=n] operands  the arrays
 *  @param method  ARR_EINSUM_...: the method that chooses the order of contractions
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference; its order in memory is the one that needs no copy
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_einsum(const char *subscripts, int32_t n, const arr_array *operands, int32_t method,
                              arr_stream stream, arr_array *out);

/** Computes Einstein's sum of products like arr_einsum, in a given order.
 *  @param subscripts  as in arr_einsum
 *  @param n  number of operands
 *  @param[in,len=n] operands  the arrays
 *  @param path  the steps, as arr_einsum_path returns them: "[(1, 2), (0, 1)]"; or with NumPy's first element,
 *      "['einsum_path', (1, 2), (0, 1)]". A step has 1 to 16 operands, by their positions in the list of the remaining
 *      ones; its result is appended to that list, which the last step reduces to one
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference; its order in memory is the one that needs no copy
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_einsum_with(const char *subscripts, int32_t n, const arr_array *operands,
                                   const char *path, arr_stream stream, arr_array *out);

/** Returns the order in which arr_einsum contracts, such as "[(1, 2), (0, 1)]". Each step has the indices of its
 *  operands in the list of the remaining operands; the result is appended to that list. A single step of all
 *  operands is one pass. The operands' elements are not read.
 *  @param subscripts  as in arr_einsum
 *  @param n  number of operands
 *  @param[in,len=n] operands  the arrays
 *  @param method  ARR_EINSUM_...
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the steps, cut to fit and NUL-terminated; may be NULL when capacity is 0
 *  @param[out,null] length  length of the whole text without the NUL; may be NULL
 *  @param[out,null] cost  number of multiplications and additions in this order; may be NULL
 *  @param[out,null] naive  the same number for one pass over all labels; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_einsum_path(const char *subscripts, int32_t n, const arr_array *operands,
                                   int32_t method, int64_t capacity, char *text, int64_t *length,
                                   double *cost, double *naive);

/** Multiplies several matrices in the cheapest order.
 *  @param n  number of arrays, 2 or more
 *  @param[in,len=n] arrays  matrices; the first may be a vector (a row), and the last one too (a column)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_multi_dot(int32_t n, const arr_array *arrays, arr_stream stream, arr_array *out);

/** Raises square matrices to a power by repeated squaring.
 *  @param a  (..., m, m)
 *  @param n  the exponent; 0 returns identity matrices, negative exponents use the inverse
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_LINALG for a negative exponent of a singular matrix
 *  @sync waits if the exponent is negative */
ARR_API arr_status arr_matrix_power(arr_array a, int64_t n, arr_stream stream, arr_array *out);

/* ---------------------------------------------------------------------------- diagonals and norms */

/** Sums along diagonals.
 *  @param a  the array, with two dimensions or more
 *  @param offset  number of the diagonal: positive numbers are above the main diagonal, negative numbers below it
 *  @param axis1  axis of the rows
 *  @param axis2  axis of the columns
 *  @param dtype  the dtype of the accumulator and of the result; 0: as in arr_sum
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: the other axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_trace(arr_array a, int64_t offset, int32_t axis1, int32_t axis2, arr_dtype dtype,
                             arr_stream stream, arr_array *out);

#define ARR_NORM_DEFAULT 0 /* 2-norm of a vector, Frobenius norm of a matrix */
#define ARR_NORM_P 1       /* the norm of the order `ord` */
#define ARR_NORM_FRO 2     /* Frobenius norm of a matrix */
#define ARR_NORM_NUC 3     /* nuclear norm of a matrix: the sum of its singular values */

/** Computes the norm of the matrices in the last two axes.
 *  @param a  (..., m, n)
 *  @param kind  ARR_NORM_...
 *  @param ord  order for ARR_NORM_P: 1 and -1 for the largest and smallest column sum of magnitudes, inf and -inf for
 *      row sums, 2 and -2 for the largest and smallest singular value
 *  @param keepdims  true: the last two axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_matrix_norm(arr_array a, int32_t kind, double ord, bool keepdims, arr_stream stream,
                                   arr_array *out);

/** Computes the condition number of matrices: their norm times that of their inverse; infinite for singular matrices.
 *  @param a  (..., m, n); square, except for ARR_NORM_DEFAULT and orders 2 and -2
 *  @param kind  ARR_NORM_...; ARR_NORM_DEFAULT selects order 2: the largest singular value over the smallest
 *  @param ord  order for ARR_NORM_P: 1, -1, 2, -2, infinity or -infinity
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (...), real
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_cond(arr_array a, int32_t kind, double ord, arr_stream stream, arr_array *out);

/** Computes the norm of vectors along one axis or of matrices in two axes, like NumPy's linalg.norm.
 *  @param a  the array
 *  @param kind  ARR_NORM_...
 *  @param ord  order for ARR_NORM_P; see arr_vector_norm and arr_matrix_norm
 *  @param naxes  1 for vectors, 2 for matrices; 0 selects all of a, which has one or two dimensions, or any number for
 *      ARR_NORM_DEFAULT
 *  @param[in,null,len=naxes] axes  axes, that of the rows first; may be NULL if naxes is 0
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_norm(arr_array a, int32_t kind, double ord, int32_t naxes, const int32_t *axes,
                            bool keepdims, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
