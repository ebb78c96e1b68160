/* SPDX-License-Identifier: MIT */
/* sort.h - sorting, indices that sort, partitions, the k largest elements. */
#ifndef ARR_SORT_H
#define ARR_SORT_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every sort is stable: equal elements keep their order, in both directions; -0.0 is equal to 0.0. nan is last in
 * both directions. Complex numbers are sorted by their real and then by their imaginary parts. Those with a nan are
 * last, in the order R + nan i, nan + R i, nan + nan i, sorted by the part R that is a number. Equal calls return
 * equal bits on every device. */

/** Returns a sorted copy of an array along an axis.
 *  @param a  the array, of any dtype
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order; the result is one-dimensional
 *  @param descending  true: sorts in descending order; false: in ascending order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (CUDA: 2^32 elements or
 *      more along the axis), ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sort(arr_array a, int32_t axis, bool descending, arr_stream stream, arr_array *out);

/** Sorts an array along an axis into an existing array of the result's shape, which may be a itself; cast by the
 *  same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a
 *  @param a  the array, of any dtype
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order; the result is one-dimensional
 *  @param descending  true: sorts in descending order; false: in ascending order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_sort_into(arr_array dst, arr_array a, int32_t axis, bool descending,
                                 arr_stream stream);

/** Returns the indices that sort an array along an axis: a[out[0]] is the first element of the sorted vector.
 *  @param a  the array, of any dtype
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order; the result is one-dimensional
 *  @param descending  true: sorts in descending order; false: in ascending order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference, int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (2^32 elements or
 *      more along the axis), ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_argsort(arr_array a, int32_t axis, bool descending, arr_stream stream, arr_array *out);

/** Sorts an array partially along an axis (NumPy's partition). Each element with an index of kth is where a full
 *  stable sort puts it; elements that sort before it come before it, and those that sort after it come after it.
 *  Elements between two such indices keep their order. The axis is sorted completely if it has at most 1024
 *  elements, or if kth has no index or more than 64.
 *  @param a  the array, of any dtype
 *  @param nkth  number of indices
 *  @param[in,index,len=nkth] kth  indices along the axis; negative values count from the end
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order; the result is one-dimensional
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_partition(arr_array a, int64_t nkth, const int64_t *kth, int32_t axis,
                                 arr_stream stream, arr_array *out);

/** Returns the indices that partition an array along an axis as arr_partition does.
 *  @param a  the array, of any dtype
 *  @param nkth  number of indices
 *  @param[in,index,len=nkth] kth  indices along the axis; negative values count from the end
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order; the result is one-dimensional
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference, int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (2^32 elements or
 *      more along the axis), ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_argpartition(arr_array a, int64_t nkth, const int64_t *kth, int32_t axis,
                                    arr_stream stream, arr_array *out);

/** Returns the indices that sort by several keys; the last key is the primary one (NumPy's lexsort).
 *  @param n  number of keys, 1 or more
 *  @param[in,len=n] keys  arrays of one shape, each of any dtype
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order; the result is one-dimensional
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference; int64, of the keys' shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (2^32 elements or
 *      more along the axis), ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_lexsort(int32_t n, const arr_array *keys, int32_t axis, arr_stream stream,
                               arr_array *out);

/** Returns the elements as complex numbers, sorted along the last axis. The result is complex64 for 8-bit and 16-bit
 *  integers and complex64, and complex128 for other dtypes.
 *  @param a  the array, of any dtype
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_sort_complex(arr_array a, arr_stream stream, arr_array *out);

/** Returns the k largest or smallest elements along an axis, sorted, and their indices. nan sorts after all numbers.
 *  Equal elements are taken in their order, the first ones first.
 *  @param a  the array, of any dtype
 *  @param k  number of elements, 0 to the extent of the axis
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order; the result is one-dimensional
 *  @param largest  true: the largest elements in descending order; false: the smallest ones in ascending order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_values  one new reference; k elements along the axis
 *  @param[out,positions] out_indices  one new reference; int64, their indices along the axis
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (2^32 elements or
 *      more along the axis), ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_topk(arr_array a, int64_t k, int32_t axis, bool largest, arr_stream stream,
                            arr_array *out_values, arr_array *out_indices);

#ifdef __cplusplus
}
#endif
#endif
