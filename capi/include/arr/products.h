/* SPDX-License-Identifier: MIT */
/* products.h - products of vectors and tensors, Einstein sums, powers, traces and norms. */
#ifndef ARR_PRODUCTS_H
#define ARR_PRODUCTS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------ two operands */

/** Product over the last axis of a and the last but one of b, or b's only one. A number, an array without
 *  dimensions, multiplies every element. Integers wrap as NumPy's do; bool is or of ands.
 *  @param a  (..., k), or without dimensions
 *  @param b  (..., k, n) or (k), or without dimensions
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: the other axes of a, then those of b
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.dot, cupy.ndarray.dot */
ARR_API arr_status arr_dot(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Sum of conj(a) times b over all elements in row-major order, in one pass.
 *  @param a  the array
 *  @param b  with as many elements, of any shape
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, without dimensions
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.vdot */
ARR_API arr_status arr_vdot(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Product over the last axes of both.
 *  @param a  (..., k), or without dimensions
 *  @param b  (..., k), or without dimensions
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: the other axes of a, then those of b
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.inner */
ARR_API arr_status arr_inner(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Every element of a times every element of b, both in row-major order.
 *  @param a  the array, of m elements
 *  @param b  the array, of n elements
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (m, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.outer */
ARR_API arr_status arr_outer(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Product over pairs of axes. No operand is copied where its strides let the axes of a kind be seen as one; the
 *  order in memory of the result is the one that is written without a copy.
 *  @param a  the array
 *  @param b  the array
 *  @param n  number of pairs
 *  @param[in,null,len=n] axes_a  axes of a, negative from the end; NULL with axes_b: the last n
 *  @param[in,null,len=n] axes_b  axes of b, of the same extents; NULL with axes_a: the first n
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: the other axes of a, then those of b
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.tensordot */
ARR_API arr_status arr_tensordot(arr_array a, arr_array b, int32_t n, const int32_t *axes_a,
                                 const int32_t *axes_b, arr_stream stream, arr_array *out);

/** Kronecker product: blocks of b, each times an element of a.
 *  @param a  the array, of at most ARR_MAX_NDIM / 2 dimensions
 *  @param b  likewise; the one with fewer dimensions gets some of extent 1 in front
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; each extent is the product of both
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.kron */
ARR_API arr_status arr_kron(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Khatri-Rao product: the Kronecker product column by column.
 *  @param a  (..., m, k)
 *  @param b  (..., n, k)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., m * n, k)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.khatri_rao */
ARR_API arr_status arr_khatri_rao(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/* --------------------------------------------------------------------------------- several operands */

#define ARR_EINSUM_AUTO 0    /* the cheapest order of up to 7 operands, of more ARR_EINSUM_GREEDY */
#define ARR_EINSUM_NONE 1    /* all operands in one pass where that takes no more than 16 */
#define ARR_EINSUM_GREEDY 2  /* the pair next whose result grows least beyond its operands */
#define ARR_EINSUM_OPTIMAL 3 /* the cheapest order of all, of up to 12 operands */

/** Einstein's sum of products, by NumPy's subscripts: "ij,jk->ik". A label that is twice in an operand takes its
 *  diagonal, an ellipsis stands for axes that broadcast, and without "->" the result has the labels that are there
 *  once, in the order of the alphabet. Several operands are contracted in pairs, pairs by matrix products without
 *  copies where strides allow. Of one operand and nothing to sum the result is a view.
 *  @param subscripts  labels of each operand's axes with commas between, "->" and those of the result
 *  @param n  number of operands
 *  @param[in,len=n] operands  arrays
 *  @param method  ARR_EINSUM_...: how the order of contractions is chosen
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; its order in memory is the one that is written without a copy
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.einsum */
ARR_API arr_status arr_einsum(const char *subscripts, int32_t n, const arr_array *operands, int32_t method,
                              arr_stream stream, arr_array *out);

/** The order in which arr_einsum contracts: "[(1, 2), (0, 1)]", each step the places of its operands in the list
 *  of what is left, to whose end the result goes. One step of all operands is one pass. The operands' elements
 *  are not read.
 *  @param subscripts  as of arr_einsum
 *  @param n  number of operands
 *  @param[in,len=n] operands  arrays
 *  @param method  ARR_EINSUM_...
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the steps, cut to fit and always NUL-terminated; may be NULL when capacity is
 *      0
 *  @param[out,null] length  length of the whole text without NUL; may be NULL
 *  @param[out,null] cost  multiplications and additions in this order; may be NULL
 *  @param[out,null] naive  those of one pass over all labels; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_einsum_path(const char *subscripts, int32_t n, const arr_array *operands,
                                   int32_t method, int64_t capacity, char *text, int64_t *length,
                                   double *cost, double *naive);

/** Product of several matrices in the order that costs least.
 *  @param n  number of arrays, 2 or more
 *  @param[in,len=n] arrays  matrices; the first may be a vector, a row, and the last one, a column
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_multi_dot(int32_t n, const arr_array *arrays, arr_stream stream, arr_array *out);

/** Power of square matrices by repeated squaring.
 *  @param a  (..., m, m)
 *  @param n  the exponent; 0 returns identity matrices, negative ones take the inverse
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *  ARR_E_UNAVAILABLE, ARR_E_LINALG for a negative exponent of a singular matrix
 *  @sync waits where the exponent is negative   @threads any   @since 0.1
 *  @cupy cupy.linalg.matrix_power */
ARR_API arr_status arr_matrix_power(arr_array a, int64_t n, arr_stream stream, arr_array *out);

/* ---------------------------------------------------------------------------- diagonals and norms */

/** Sum along diagonals.
 *  @param a  two dimensions or more
 *  @param offset  which diagonal: above the main one if positive, below it if negative
 *  @param axis1  the rows' axis; negative values count from the end
 *  @param axis2  the columns' axis; negative values count from the end
 *  @param dtype  what is added, and the result's; 0: as of arr_sum
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: the other axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.trace, cupy.ndarray.trace */
ARR_API arr_status arr_trace(arr_array a, int64_t offset, int32_t axis1, int32_t axis2, arr_dtype dtype,
                             arr_stream stream, arr_array *out);

#define ARR_NORM_DEFAULT 0 /* 2-norm of a vector, Frobenius norm of a matrix */
#define ARR_NORM_P 1       /* the norm of the order that is given beside it */
#define ARR_NORM_FRO 2     /* Frobenius norm of a matrix */
#define ARR_NORM_NUC 3     /* nuclear norm of a matrix: the sum of its singular values */

/** Norm of the matrices in the last two axes.
 *  @param a  (..., m, n)
 *  @param kind  ARR_NORM_...
 *  @param ord  of ARR_NORM_P: 1 and -1 the largest and smallest sum of magnitudes of a column, inf and -inf of a row, 2
 *  and -2 the largest and smallest singular value
 *  @param keepdims  1: the last axes stay with extent 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_matrix_norm(arr_array a, int32_t kind, double ord, int32_t keepdims, arr_stream stream,
                                   arr_array *out);

/** Condition of matrices: their norm times that of their inverse; infinite for singular ones.
 *  @param a  (..., m, n); square but for ARR_NORM_DEFAULT and orders 2 and -2
 *  @param kind  ARR_NORM_..., ARR_NORM_DEFAULT the order 2: the largest singular value by the smallest
 *  @param ord  of ARR_NORM_P: 1, -1, 2, -2, infinity or -infinity
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (...), real
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.linalg.cond */
ARR_API arr_status arr_cond(arr_array a, int32_t kind, double ord, arr_stream stream, arr_array *out);

/** Norm of vectors along one axis or of matrices in two, as NumPy's linalg.norm.
 *  @param a  the array
 *  @param kind  ARR_NORM_...
 *  @param ord  of ARR_NORM_P: the order, see arr_vector_norm and arr_matrix_norm
 *  @param naxes  1 for vectors, 2 for matrices; 0: all of a, which has one or two dimensions, or any number for
 *  ARR_NORM_DEFAULT
 *  @param[in,null,len=naxes] axes  axes, the rows' before the columns'; negative values count from the end; may be NULL
 *      where naxes is 0
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.linalg.norm */
ARR_API arr_status arr_norm(arr_array a, int32_t kind, double ord, int32_t naxes, const int32_t *axes,
                            int32_t keepdims, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
