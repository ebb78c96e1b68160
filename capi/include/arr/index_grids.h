/* SPDX-License-Identifier: MIT */
/* index_grids.h - arrays of indices: grids, diagonals, triangles; conversion of indices to coordinates. */
#ifndef ARR_INDEX_GRIDS_H
#define ARR_INDEX_GRIDS_H
#include "arr/indexing.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Converts the coordinates of elements to indices in row-major or column-major order. The arrays of coordinates
 *  broadcast.
 *  @param n  number of axes, 1..ARR_MAX_NDIM
 *  @param[in,len=n,positions] indices  the coordinates along each axis: integers
 *  @param[in,len=n] shape  extents of the array
 *  @param[in,null,len=n] bounds  ARR_BOUNDS_... for each axis; negative coordinates are out of range; NULL selects
 *      ARR_BOUNDS_RAISE for all
 *  @param order  ARR_ORDER_C or ARR_ORDER_F: the order in which elements are counted
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference, int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (a coordinate is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync with ARR_BOUNDS_RAISE it waits for the check of the coordinates */
ARR_API arr_status arr_ravel_multi_index(int32_t n, const arr_array *indices, const int64_t *shape,
                                         const int32_t *bounds, int32_t order, arr_stream stream,
                                         arr_array *out);

/** Converts indices in row-major or column-major order to coordinates along each axis.
 *  @param[in,positions] indices  the indices: integers, 0 or more
 *  @param n  number of axes
 *  @param[in,len=n] shape  extents of the array
 *  @param order  ARR_ORDER_C or ARR_ORDER_F: the order in which elements are counted
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param nout  number of entries at out: n
 *  @param[out,len=nout,positions] out  new references; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits for the check of the indices */
ARR_API arr_status arr_unravel_index(arr_array indices, int32_t n, const int64_t *shape, int32_t order,
                                     arr_stream stream, int32_t nout, arr_array *out);

/** Converts vectors of indices to arrays that select every combination of them (NumPy's ix_). Vector k becomes an
 *  array whose axis k has the vector's length and whose other axes have extent 1.
 *  @param n  number of vectors, 0..ARR_MAX_NDIM
 *  @param[in,len=n,positions] vectors  the indices along each axis: integers, or bool for the indices where it is
 *      true
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param nout  number of entries at out: n
 *  @param[out,len=nout,view,positions] out  new references; views of the vectors that hold integers
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for vectors of bool */
ARR_API arr_status arr_ix(int32_t n, const arr_array *vectors, arr_stream stream, int32_t nout,
                          arr_array *out);

/** Returns the coordinates of every element of an array: out[k, i...] is i[k].
 *  @param ndim  number of axes
 *  @param[in,len=ndim] shape  extents of the array
 *  @param dtype  the dtype of the result
 *  @param[in] device  the device of the result
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference, of ndim + 1 dimensions
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_indices(int32_t ndim, const int64_t *shape, arr_dtype dtype, const arr_device *device,
                               arr_stream stream, arr_array *out);

/** Returns the coordinates of a main diagonal: 0 to n - 1 for each axis.
 *  @param n  number of elements of the diagonal
 *  @param[in] device  the device of the result
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param nout  number of entries at out: one per axis
 *  @param[out,len=nout,positions] out  new references; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_diag_indices(int64_t n, const arr_device *device, arr_stream stream, int32_t nout,
                                    arr_array *out);

/** Returns the row and column indices of the lower triangle of a matrix: the elements at and below a diagonal.
 *  @param rows  number of rows of the matrix
 *  @param columns  number of columns of the matrix
 *  @param k  the diagonal: 0 is the main one, positive values are above it, negative ones below it
 *  @param[in] device  the device of the result
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out_i  one new reference: the row indices, int64
 *  @param[out,positions] out_j  one new reference: the column indices, int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_tril_indices(int64_t rows, int64_t columns, int64_t k, const arr_device *device,
                                    arr_stream stream, arr_array *out_i, arr_array *out_j);

/** Returns the row and column indices of the upper triangle of a matrix: the elements at and above a diagonal.
 *  @param rows  number of rows of the matrix
 *  @param columns  number of columns of the matrix
 *  @param k  the diagonal: 0 is the main one, positive values are above it, negative ones below it
 *  @param[in] device  the device of the result
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out_i  one new reference: the row indices, int64
 *  @param[out,positions] out_j  one new reference: the column indices, int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_triu_indices(int64_t rows, int64_t columns, int64_t k, const arr_device *device,
                                    arr_stream stream, arr_array *out_i, arr_array *out_j);

/** Writes values to the main diagonal a[i, i, ...].
 *  @param[in,written] a  the array, written, of two or more dimensions; if it has more than two, all extents must be
 *      equal
 *  @param value  an array, cast by the same_kind rule and repeated to the length of the diagonal, or a scalar
 *  @param wrap  true: the diagonal of a tall matrix starts again every columns + 1 rows (NumPy's wrap=True)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_fill_diagonal(arr_array a, const arr_value *value, bool wrap, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
