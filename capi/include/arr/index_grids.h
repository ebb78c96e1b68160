/* SPDX-License-Identifier: MIT */
/* index_grids.h - index arrays: grids, diagonals and triangles, positions in row-major order. */
#ifndef ARR_INDEX_GRIDS_H
#define ARR_INDEX_GRIDS_H
#include "arr/indexing.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Positions in an array, of coordinates along each of its axes; they broadcast.
 *  @param n  number of axes, 1..ARR_MAX_NDIM
 *  @param[in,len=n,positions] indices  integers per axis
 *  @param[in,len=n] shape  extents of the array
 *  @param[in,null,len=n] bounds  ARR_BOUNDS_... per axis, where negative coordinates are out of range; NULL:
 *      ARR_BOUNDS_RAISE for all
 *  @param order  ARR_ORDER_C or ARR_ORDER_F: in which the elements are counted
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,positions] out  one new reference; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (a coordinate is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync with ARR_BOUNDS_RAISE it waits for the check of the coordinates   @threads any   @since 0.1
 *  @cupy cupy.ravel_multi_index */
ARR_API arr_status arr_ravel_multi_index(int32_t n, const arr_array *indices, const int64_t *shape,
                                         const int32_t *bounds, int32_t order, arr_stream stream,
                                         arr_array *out);

/** Coordinates along each axis of an array, of positions in it.
 *  @param[in,positions] indices  integers, 0 or more
 *  @param n  number of axes
 *  @param[in,len=n] shape  extents of the array
 *  @param order  ARR_ORDER_C or ARR_ORDER_F: in which the elements are counted
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param nout  entries at out, n
 *  @param[out,len=nout,positions] out  new references; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (a position is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync waits for the check of the positions   @threads any   @since 0.1
 *  @cupy cupy.unravel_index */
ARR_API arr_status arr_unravel_index(arr_array indices, int32_t n, const int64_t *shape, int32_t order,
                                     arr_stream stream, int32_t nout, arr_array *out);

/** Vectors of indices, each along an axis of its own: together they are the index of a block of rows and columns.
 *  @param n  number of vectors, 0..ARR_MAX_NDIM
 *  @param[in,len=n,positions] vectors  integers, or bool for the true places
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param nout  entries at out, n
 *  @param[out,len=nout,view,positions] out  new references; views of vectors of integers
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for vectors of bool   @threads any   @since 0.1
 *  @cupy cupy.ix_ */
ARR_API arr_status arr_ix(int32_t n, const arr_array *vectors, arr_stream stream, int32_t nout,
                          arr_array *out);

/** The coordinates of every element of an array: out[k, i...] is i[k].
 *  @param ndim  number of axes
 *  @param[in,len=ndim] shape  extents of the array
 *  @param dtype  element type of the result
 *  @param[in] device  where the result lies
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,positions] out  one new reference; of ndim + 1 dimensions
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.indices */
ARR_API arr_status arr_indices(int32_t ndim, const int64_t *shape, arr_dtype dtype, const arr_device *device,
                               arr_stream stream, arr_array *out);

/** The places of a main diagonal: 0 .. n-1 for each axis.
 *  @param n  elements of the diagonal
 *  @param[in] device  where the result lies
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param nout  entries at out, one per axis
 *  @param[out,len=nout,positions] out  new references; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.diag_indices, cupy.diag_indices_from */
ARR_API arr_status arr_diag_indices(int64_t n, const arr_device *device, arr_stream stream, int32_t nout,
                                    arr_array *out);

/** The places of a matrix at and below a diagonal.
 *  @param rows  of the matrix
 *  @param columns  of the matrix
 *  @param k  which diagonal: above the main one if positive, below it if negative
 *  @param[in] device  where the result lies
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,positions] out_i  one new reference; int64
 *  @param[out,positions] out_j  one new reference; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.tril_indices, cupy.tril_indices_from, cupy.mask_indices */
ARR_API arr_status arr_tril_indices(int64_t rows, int64_t columns, int64_t k, const arr_device *device,
                                    arr_stream stream, arr_array *out_i, arr_array *out_j);

/** The places of a matrix at and above a diagonal.
 *  @param rows  of the matrix
 *  @param columns  of the matrix
 *  @param k  which diagonal: above the main one if positive, below it if negative
 *  @param[in] device  where the result lies
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,positions] out_i  one new reference; int64
 *  @param[out,positions] out_j  one new reference; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.triu_indices, cupy.triu_indices_from */
ARR_API arr_status arr_triu_indices(int64_t rows, int64_t columns, int64_t k, const arr_device *device,
                                    arr_stream stream, arr_array *out_i, arr_array *out_j);

/** Writes to the main diagonal a[i, i, ...].
 *  @param[in,written] a  the array, of two dimensions or more; of more than two all extents are equal
 *  @param value  an array, repeated as often as the diagonal needs, cast by the same_kind rule, or a scalar
 *  @param wrap  1: below a square block of a tall matrix one row is left out and a further diagonal follows; else 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fill_diagonal */
ARR_API arr_status arr_fill_diagonal(arr_array a, const arr_value *value, int32_t wrap, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
