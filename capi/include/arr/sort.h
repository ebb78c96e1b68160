/* SPDX-License-Identifier: MIT */
/* sort.h - sorted elements, their places, partitions, the largest elements. */
#ifndef ARR_SORT_H
#define ARR_SORT_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every sort is stable: equal elements stay in their order, in both directions; -0.0 is equal to 0.0. nan is
 * last in both directions. Complex numbers are in order by their real and then by their imaginary parts; those
 * with a nan are last: R + nan i, nan + R i, nan + nan i, each by the part R that is a number. Equal calls give
 * equal bits on every device. */

/** The elements in order along an axis.
 *  @param a  the array, of any type
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE selects all elements in row-major order,
 *      one-dimensional
 *  @param descending  1: the greatest element first; else 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (CUDA: 2^32 elements or
 *      more along the axis), ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.sort, cupy.msort */
ARR_API arr_status arr_sort(arr_array a, int32_t axis, int32_t descending, arr_stream stream, arr_array *out);

/** arr_sort into an existing array of the result's shape, which may be a itself; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a
 *  @param a  the array, of any type
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE selects all elements in row-major order,
 *      one-dimensional
 *  @param descending  1: the greatest element first; else 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ndarray.sort */
ARR_API arr_status arr_sort_into(arr_array dst, arr_array a, int32_t axis, int32_t descending,
                                 arr_stream stream);

/** The places along an axis of the elements in order: a[out[0]] is the first.
 *  @param a  the array, of any type
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE selects all elements in row-major order,
 *      one-dimensional
 *  @param descending  1: the greatest element first; else 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,positions] out  one new reference; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (2^32 elements or
 *      more along the axis), ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.argsort, cupy.ndarray.argsort */
ARR_API arr_status arr_argsort(arr_array a, int32_t axis, int32_t descending, arr_stream stream,
                               arr_array *out);

/** The elements so that each of some places has the element that a stable sort puts there, with those before it in
 *  the sort before it, and those after it after it. Between two such places, elements stay in their order. Up to
 *  1024 elements along the axis, and with no place or more than 64, all are in order.
 *  @param a  the array, of any type
 *  @param nkth  number of places
 *  @param[in,index,len=nkth] kth  places along the axis; negative ones count from the end
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE selects all elements in row-major order,
 *      one-dimensional
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.partition, cupy.ndarray.partition */
ARR_API arr_status arr_partition(arr_array a, int64_t nkth, const int64_t *kth, int32_t axis,
                                 arr_stream stream, arr_array *out);

/** The places along an axis of the elements of arr_partition.
 *  @param a  the array, of any type
 *  @param nkth  number of places
 *  @param[in,index,len=nkth] kth  places along the axis; negative ones count from the end
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE selects all elements in row-major order,
 *      one-dimensional
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,positions] out  one new reference; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (2^32 elements or
 *      more along the axis), ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.argpartition, cupy.ndarray.argpartition */
ARR_API arr_status arr_argpartition(arr_array a, int64_t nkth, const int64_t *kth, int32_t axis,
                                    arr_stream stream, arr_array *out);

/** The places that put several keys in order: by the last key, equal ones by the last but one, and so on.
 *  @param n  number of keys, 1 or more
 *  @param[in,len=n] keys  arrays of one shape, each of any type
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE selects all elements in row-major order,
 *      one-dimensional
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,positions] out  one new reference; int64, of the keys' shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (2^32 elements or
 *      more along the axis), ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.lexsort */
ARR_API arr_status arr_lexsort(int32_t n, const arr_array *keys, int32_t axis, arr_stream stream,
                               arr_array *out);

/** The elements as complex numbers, in order along the last axis: complex64 of 8-bit and 16-bit integers and
 *  complex64 itself, else complex128.
 *  @param a  the array, of any type
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.sort_complex */
ARR_API arr_status arr_sort_complex(arr_array a, arr_stream stream, arr_array *out);

/** The k largest or smallest elements along an axis, in order, and their places; nan comes after all numbers. The
 *  first ones of equal elements are taken, in their order.
 *  @param a  the array, of any type
 *  @param k  how many, 0 to the axis' extent
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE selects all elements in row-major order,
 *      one-dimensional
 *  @param largest  1: the largest, the greatest first; 0: the smallest, the least first
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_values  one new reference; the elements, k of them along the axis
 *  @param[out,positions] out_indices  one new reference; int64, their places along the axis
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (2^32 elements or
 *      more along the axis), ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_topk(arr_array a, int64_t k, int32_t axis, int32_t largest, arr_stream stream,
                            arr_array *out_values, arr_array *out_indices);

#ifdef __cplusplus
}
#endif
#endif
