/* SPDX-License-Identifier: MIT */
/* sparse_nd.h - sparse arrays of any number of dimensions. */
#ifndef ARR_SPARSE_ND_H
#define ARR_SPARSE_ND_H
#include "arr/indexing.h"
#include "arr/sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sparse array of one dimension, or of three or more, is an arr_sparse in ARR_SPARSE_COO with a shape. It stores each
 * element's index in row-major order, and no index of each axis: arr_sparse_coords computes those. So its extents
 * multiply to less than 2^63, another shape costs nothing, and an index is int64 from 2^31 elements on. Of two
 * dimensions it is a matrix, and these functions take matrices of any format.
 *
 * The functions of arr/sparse.h that treat elements alike take arrays of any number of dimensions, and return results
 * of the same shape: arr_sparse_from_dense, arr_sparse_to_dense, arr_sparse_with_data, arr_sparse_astype,
 * arr_sparse_sum_duplicates, arr_sparse_eliminate_zeros, arr_sparse_is_canonical, arr_sparse_unary, arr_sparse_binary,
 * arr_sparse_scale, arr_sparse_reduce, arr_sparse_argmax, arr_sparse_argmin, arr_sparse_format, arr_sparse_print, and
 * ARR_SPARSE_PART_DATA of arr_sparse_part; arr_sparse_info counts all elements in one row. Others want two dimensions
 * (ARR_E_SHAPE). */

/** Makes a sparse array of coordinates, as scipy.sparse.coo_array. Coordinates are copied, data only if they are not
 *  contiguous. Of two dimensions it is a matrix in ARR_SPARSE_COO.
 *  @param ndim  number of dimensions, 1 to ARR_MAX_NDIM
 *  @param[in,len=ndim] shape  the extents
 *  @param data  [nnz] elements
 *  @param[in,len=ndim] coords  for each axis [nnz] integers, the index of each element, 0 to the extent - 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the check of the indices */
ARR_API arr_status arr_sparse_coo_nd(int32_t ndim, const int64_t *shape, arr_array data,
                                     const arr_array *coords, arr_stream stream, arr_sparse *out);

/** Returns the shape of a sparse array or matrix.
 *  @param a  the array
 *  @param capacity  number of entries at shape
 *  @param[out,null,len=capacity] shape  the first `capacity` extents; NULL to ask for ndim only
 *  @param[out,null] ndim  number of dimensions; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_sparse_shape(arr_sparse a, int32_t capacity, int64_t *shape, int32_t *ndim);

/** Returns the index along an axis of each stored element, of an array or of a matrix in any format.
 *  @param a  the array
 *  @param axis  the axis; negative: from the end
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [nnz] integers of the type of a's indices, in the order of ARR_SPARSE_PART_DATA;
 *      read-only where they are a part of a
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sparse_coords(arr_sparse a, int32_t axis, arr_stream stream, arr_array *out);

/** Makes an array of another shape with the elements in row-major order: from a matrix to any number of dimensions, and
 *  back. Stored elements stay as they are.
 *  @param a  the array
 *  @param ndim  number of dimensions, 1 to ARR_MAX_NDIM; 2 gives a matrix in ARR_SPARSE_COO
 *  @param[in,len=ndim] shape  the extents; one may be -1, which selects what is left
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sparse_reshape_nd(arr_sparse a, int32_t ndim, const int64_t *shape, arr_stream stream,
                                         arr_sparse *out);

/** Transposes a sparse array: changes the order of its axes. Elements stay in order of ARR_SPARSE_PART_DATA, which is
 *  shared.
 *  @param a  the array
 *  @param naxes  number of axes, that of a's dimensions; 0 with axes NULL
 *  @param[in,null,len=naxes] axes  axis i of the result is axis axes[i] of a; NULL reverses them
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; a matrix is in ARR_SPARSE_COO
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sparse_permute_dims(arr_sparse a, int32_t naxes, const int32_t *axes,
                                           arr_stream stream, arr_sparse *out);

/** Reduces a sparse array along some axes. Elements that are not stored count as zeros.
 *  @param reduction  as for arr_sparse_reduce
 *  @param a  the array
 *  @param naxes  number of axes; 0 with axes NULL
 *  @param[in,null,len=naxes] axes  the axes to reduce; NULL selects all
 *  @param keepdims  keeps the reduced axes with extent 1
 *  @param dtype  the dtype of the computation and of the result; 0 selects that of arr_reduce
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; a dense array of the axes that are left
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits if the elements have to be sorted or added first */
ARR_API arr_status arr_sparse_reduce_axes(int32_t reduction, arr_sparse a, int32_t naxes, const int32_t *axes,
                                          bool keepdims, arr_dtype dtype, arr_stream stream, arr_array *out);

/** Computes the tensor product of two sparse arrays, summed over pairs of axes, as numpy.tensordot: as a product of two
 *  matrices, in the type to which both promote. Elements whose terms add up to 0 are not stored.
 *  @param a  the first operand
 *  @param b  the second operand
 *  @param naxes  number of pairs, 0 or more
 *  @param[in,null,len=naxes] a_axes  the axes of a to sum over; NULL is allowed if naxes is 0
 *  @param[in,null,len=naxes] b_axes  the axes of b that are paired with them, of the same extents; NULL is allowed if
 *      naxes is 0
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; the other axes of a, then those of b; of shape (1,) if a product has no axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_tensordot(arr_sparse a, arr_sparse b, int32_t naxes, const int32_t *a_axes,
                                        const int32_t *b_axes, arr_stream stream, arr_sparse *out);

/** Returns a[...] by NumPy's rules, as scipy.sparse.coo_array: slices, integers, new axes, an ellipsis, masks and
 *  arrays of integers, which broadcast. An element that arrays name several times is there as often.
 *  @param a  the array, or a matrix in any format
 *  @param nindices  number of indices; further axes are not indexed
 *  @param[in,len=nindices] indices  the indices, as in arr_get_items
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of shape (1,) if no dimension is left; of two dimensions a matrix in
 *      ARR_SPARSE_COO
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_get_items_nd(arr_sparse a, int32_t nindices, const arr_index *indices,
                                           arr_stream stream, arr_sparse *out);

/** Replaces a[...] by a block, in a new array. If arrays name an element several times, the last one wins.
 *  @param a  the array, or a matrix in any format; it does not change
 *  @param nindices  number of indices; further axes are not indexed
 *  @param[in,len=nindices] indices  the indices, as in arr_sparse_get_items_nd
 *  @param block  an array of the shape of arr_sparse_get_items_nd's result; its elements are cast to the dtype of a by
 *      the same_kind rule
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of a's shape, canonical; of two dimensions a matrix in ARR_SPARSE_COO
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits for the number of elements */
ARR_API arr_status arr_sparse_with_items_nd(arr_sparse a, int32_t nindices, const arr_index *indices,
                                            arr_sparse block, arr_stream stream, arr_sparse *out);

/** Joins sparse arrays along an axis, as numpy.concatenate, in the dtype to which all promote.
 *  @param n  number of arrays, 1 or more
 *  @param[in,len=n] parts  arrays of the same shape except for that axis; matrices in any format
 *  @param axis  the axis; negative: from the end
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of two dimensions a matrix in ARR_SPARSE_COO
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sparse_concatenate_nd(int32_t n, const arr_sparse *parts, int32_t axis,
                                             arr_stream stream, arr_sparse *out);

/** Joins sparse arrays along a new axis, as numpy.stack, in the dtype to which all promote.
 *  @param n  number of arrays, 1 or more
 *  @param[in,len=n] parts  arrays of the same shape; matrices in any format
 *  @param axis  the axis of the result; negative: from the end
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; of two dimensions a matrix in ARR_SPARSE_COO
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sparse_stack(int32_t n, const arr_sparse *parts, int32_t axis, arr_stream stream,
                                    arr_sparse *out);

#ifdef __cplusplus
}
#endif
#endif
