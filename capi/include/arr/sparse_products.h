/* SPDX-License-Identifier: MIT */
/* sparse_products.h - products of sparse matrices over semirings, of a mask's elements, and with an expression. */
#ifndef ARR_SPARSE_PRODUCTS_H
#define ARR_SPARSE_PRODUCTS_H
#include "arr/sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A semiring is a reduction and an op of two operands: an element of a product is the reduction of op(a[i, p], b[p, j])
 * over all p for which the operands have stored elements, as in GraphBLAS. Sum and multiply are the ordinary product,
 * min and add the lengths of shortest paths, any and logical_and reachability, max and multiply the most reliable
 * paths. Elements of one row and column of an operand are added first. Terms have the type of the op, and results that
 * of arr_reduce.
 *
 * Any reduction that combines pairs of terms is possible: sum, prod, min, max, any, all, count_nonzero, those without
 * nan, of magnitudes and of bits; others are ARR_E_UNSUPPORTED. Without a term the result is the reduction's identity:
 * 0 of a sum, 1 of a product, false of any, true of all, for min inf or the largest integer, for max -inf or the least
 * integer, nan of nanmin and nanmax. */

/** Computes the product of a sparse matrix with a vector or a dense matrix over a semiring. Terms are combined in an
 *  order that depends only on the matrix.
 *  @param reduction  ARR_REDUCTION_... or a number from arr_reduction_find
 *  @param op  number from arr_op_find of an op with two operands, an element of a and one of x
 *  @param a  [m, n] matrix
 *  @param x  [n] or [n, k] array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [m] or [m, k]; the identity of the reduction in rows without elements
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits if it is not known whether a is canonical */
ARR_API arr_status arr_sparse_semiring_matmul(int32_t reduction, int32_t op, arr_sparse a, arr_array x,
                                              arr_stream stream, arr_array *out);

/** Computes the product of two sparse matrices over a semiring, in ARR_SPARSE_CSR and canonical. An element is stored
 *  where there is a term, whatever its value. With a mask only the mask's elements are computed, and the cost grows
 *  with their number and not with that of the product; that of its complement is the cost of the product.
 *  @param reduction  ARR_REDUCTION_... or a number from arr_reduction_find
 *  @param op  number from arr_op_find of an op with two operands, an element of a and one of b
 *  @param a  [m, n] matrix
 *  @param b  [n, k] matrix
 *  @param[in,null] mask  [m, k] matrix of any type, whose values are not read: elements where it stores none are left
 *      out; NULL selects all
 *  @param complement  true for the elements that the mask does not store, which needs a mask
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [m, k]
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_semiring_product(int32_t reduction, int32_t op, arr_sparse a, arr_sparse b,
                                               arr_sparse mask, bool complement, arr_stream stream,
                                               arr_sparse *out);

/** Computes the elements of x y, the product of two dense matrices, where a sparse matrix stores one (cuSPARSE's
 *  SDDMM), in the type to which x and y promote.
 *  @param pattern  [m, n] matrix of any type, whose values are not read
 *  @param x  [m, k] array
 *  @param y  [k, n] array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of the pattern's format, canonical
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits if it is not known whether the pattern is canonical */
ARR_API arr_status arr_sparse_sampled_matmul(arr_sparse pattern, arr_array x, arr_array y, arr_stream stream,
                                             arr_sparse *out);

/** Computes an expression of a x, the product of arr_sparse_matmul, and of other arrays: sigmoid(a x + b) for example.
 *  On the host some rows at a time are multiplied and finished while they are in the cache, so that the product is
 *  not stored, except of ARR_SPARSE_CSC and for expressions with indices, gathers or several passes. There and on CUDA
 *  the expression is one pass over the product. Values are the same.
 *  @param a  [m, n] matrix
 *  @param x  [n] or [n, k] array
 *  @param e  the expression; its input 0 is the product
 *  @param node  the node to compute
 *  @param nin  number of further inputs, 0 to 1023
 *  @param[in,null,len=nin] in  the inputs 1, 2, ..., which broadcast to the product's shape; may be NULL when there
 *      are none
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [m] or [m, k]
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_INDEX, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_COMPILE, ARR_E_UNSUPPORTED
 *  @sync no; waits if indices are checked */
ARR_API arr_status arr_sparse_matmul_expr(arr_sparse a, arr_array x, arr_expr e, int32_t node, int32_t nin,
                                          const arr_array *in, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
