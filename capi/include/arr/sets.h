/* SPDX-License-Identifier: MIT */
/* sets.h - distinct elements, membership, and operations on the sets of the elements of two arrays. */
#ifndef ARR_SETS_H
#define ARR_SETS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -0.0 is equal to 0.0. The first one of equal elements in row-major order is returned. The order of elements is that
 * of arr_sort. Functions of two arrays compare in the type that both promote to, but an int64 and a uint64 exactly. */

/** The distinct elements of an array, or its distinct slices along an axis, in ascending order: slices by their first
 *  elements, then by the next ones. Slices are equal where all their elements are; one with a nan is equal to none.
 *  @param a  the array, of any type
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE selects all elements in row-major order; of
 *      an array of one dimension both are the same
 *  @param by_occurrence  1: in the order of their first places in a; 0: in ascending order
 *  @param equal_nan  1: all nans are one element, the first of them in ascending order; 0: each nan is an element
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_values  one new reference; one-dimensional, or with the distinct slices along the axis
 *  @param[out,null,positions] out_indices  one new reference; int64, the place of each in a: the first one; NULL if
 *      not wanted
 *  @param[out,null,positions] out_inverse  one new reference; int64, the place of each element of a in out_values,
 *      of a's shape; for slices one-dimensional; NULL if not wanted
 *  @param[out,null] out_counts  one new reference; int64, how often each is in a; NULL if not wanted
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (2^32 elements or
 *      slices or more, unless the values alone are wanted in ascending order), ARR_E_DEVICE
 *  @sync yes, until the number of distinct elements is known   @threads any   @since 0.1
 *  @cupy cupy.unique, cupy.unique_all, cupy.unique_counts, cupy.unique_inverse, cupy.unique_values */
ARR_API arr_status arr_unique(arr_array a, int32_t axis, int32_t by_occurrence, int32_t equal_nan,
                              arr_stream stream, arr_array *out_values, arr_array *out_indices,
                              arr_array *out_inverse, arr_array *out_counts);

/** Returns whether each element of an array is among those of another one. nan is equal to nothing.
 *  @param a  the elements to look for, of any type
 *  @param test  the elements to look in, of any shape and type
 *  @param invert  1: true where an element is not among them; else 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; bool, of a's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync only for integers on the host, until the range of test is known   @threads any   @since 0.1
 *  @cupy cupy.isin, cupy.in1d */
ARR_API arr_status arr_isin(arr_array a, arr_array test, int32_t invert, arr_stream stream, arr_array *out);

/** The distinct elements that are in both arrays, in ascending order. nan is equal to nothing.
 *  @param a  the array, of any shape and type
 *  @param b  another one
 *  @param assume_unique  1: the caller promises that no element is twice in an array, which saves time; else 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; a vector of the type that both promote to
 *  @param[out,null,positions] out_a_indices  one new reference; int64, the first place of each in a, counted in
 *      row-major order; NULL if not wanted
 *  @param[out,null,positions] out_b_indices  one new reference; int64, the first place of each in b; NULL if not
 *      wanted
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (2^32 elements or more,
 *      and their places are wanted), ARR_E_DEVICE
 *  @sync yes, until the number of elements is known   @threads any   @since 0.1
 *  @cupy cupy.intersect1d */
ARR_API arr_status arr_intersect1d(arr_array a, arr_array b, int32_t assume_unique, arr_stream stream,
                                   arr_array *out, arr_array *out_a_indices, arr_array *out_b_indices);

/** The distinct elements that are in one of two arrays or in both, in ascending order; one nan at most.
 *  @param a  the array, of any shape and type
 *  @param b  another one
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; a vector of the type that both promote to
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes, until the number of elements is known   @threads any   @since 0.1
 *  @cupy cupy.union1d */
ARR_API arr_status arr_union1d(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** The distinct elements of an array that are not in another one, in ascending order; one nan at most.
 *  @param a  the array, of any shape and type
 *  @param b  the elements to leave out, of any shape and type
 *  @param assume_unique  1: every element of a that is not in b, in the order of a; else 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; a vector of a's type
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes, until the number of elements is known   @threads any   @since 0.1
 *  @cupy cupy.setdiff1d */
ARR_API arr_status arr_setdiff1d(arr_array a, arr_array b, int32_t assume_unique, arr_stream stream,
                                 arr_array *out);

/** The distinct elements that are in one of two arrays, not in both, in ascending order. nan is equal to nothing, so
 *  that a nan of each array remains.
 *  @param a  the array, of any shape and type
 *  @param b  another one
 *  @param assume_unique  1: the caller promises that no element is twice in an array, which saves time; else 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; a vector of the type that both promote to
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes, until the number of elements is known   @threads any   @since 0.1
 *  @cupy cupy.setxor1d */
ARR_API arr_status arr_setxor1d(arr_array a, arr_array b, int32_t assume_unique, arr_stream stream,
                                arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
