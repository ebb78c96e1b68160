/* SPDX-License-Identifier: MIT */
/* sets.h - distinct elements, membership, and set operations on two arrays. */
#ifndef ARR_SETS_H
#define ARR_SETS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -0.0 is equal to 0.0. Of equal elements the first one in row-major order is returned. Elements are ordered as by
 * arr_sort. Functions of two arrays compare in the dtype that both promote to, except that an int64 and a uint64
 * compare exactly. */

#define ARR_UNIQUE_SORTED 1    /* flag: in ascending order, not in that of their first occurrence */
#define ARR_UNIQUE_EQUAL_NAN 2 /* flag: all nans are one element, the first nan in ascending order */

/** Returns the distinct elements of an array, or its distinct slices along an axis. Slices compare by
 *  their first elements, then by the next ones. Two slices are equal if all their elements are; a slice with a nan is
 *  not equal to any slice.
 *  @param a  the array, of any dtype
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order, also the choice for a vector
 *  @param flags  ARR_UNIQUE_... values, combined with |; NumPy's default is ARR_UNIQUE_SORTED | ARR_UNIQUE_EQUAL_NAN
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_values  one new reference; one-dimensional, or with the distinct slices along the axis
 *  @param[out,null,positions] out_indices  one new reference; int64, the index in a of the first occurrence of each;
 *      NULL if not wanted
 *  @param[out,null,positions] out_inverse  one new reference; int64, the index in out_values of each element of a,
 *      of a's shape, or one-dimensional for slices; NULL if not wanted
 *  @param[out,null] out_counts  one new reference; int64, the number of occurrences of each in a; NULL if not wanted
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (2^32 elements or
 *      slices or more, unless the values alone are wanted in ascending order), ARR_E_DEVICE
 *  @sync yes, until the number of distinct elements is known */
ARR_API arr_status arr_unique(arr_array a, int32_t axis, int32_t flags, arr_stream stream,
                              arr_array *out_values, arr_array *out_indices, arr_array *out_inverse,
                              arr_array *out_counts);

/** Tests each element of an array for membership in another array. nan is not equal to any element.
 *  @param a  the elements to look for, of any dtype
 *  @param test  the elements to look in, of any shape and dtype
 *  @param invert  true: true for elements that are not in test; false: true for those that are
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; bool, of a's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync only for integers on the host, until the range of test is known */
ARR_API arr_status arr_isin(arr_array a, arr_array test, bool invert, arr_stream stream, arr_array *out);

/** Returns the distinct elements that are in both of two arrays, in ascending order. nan is not equal to any
 *  element.
 *  @param a  the first array, of any shape and dtype
 *  @param b  the second array, of any shape and dtype
 *  @param assume_unique  true: the caller guarantees that no element occurs twice in an array, which saves time
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; a vector of the dtype that both promote to
 *  @param[out,null,positions] out_a_indices  one new reference; int64, the index in a, in row-major order, of the
 *      first occurrence of each; NULL if not wanted
 *  @param[out,null,positions] out_b_indices  one new reference; int64, the index in b of the first occurrence of
 *      each; NULL if not wanted
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED (2^32 elements or
 *      more, and their indices are wanted), ARR_E_DEVICE
 *  @sync yes, until the number of elements is known */
ARR_API arr_status arr_intersect1d(arr_array a, arr_array b, bool assume_unique, arr_stream stream,
                                   arr_array *out, arr_array *out_a_indices, arr_array *out_b_indices);

/** Returns the distinct elements that are in at least one of two arrays, in ascending order; with at most one nan.
 *  @param a  the first array, of any shape and dtype
 *  @param b  the second array, of any shape and dtype
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; a vector of the dtype that both promote to
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes, until the number of elements is known */
ARR_API arr_status arr_union1d(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Returns the distinct elements of an array that are not in another one, in ascending order; with at most one nan.
 *  @param a  the array, of any shape and dtype
 *  @param b  the elements to exclude, of any shape and dtype
 *  @param assume_unique  true: returns every element of a that is not in b, in the order of a
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; a vector of a's dtype
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes, until the number of elements is known */
ARR_API arr_status arr_setdiff1d(arr_array a, arr_array b, bool assume_unique, arr_stream stream,
                                 arr_array *out);

/** Returns the distinct elements that are in exactly one of two arrays, in ascending order. nan is not equal to any
 *  element, so a nan of each array is returned.
 *  @param a  the first array, of any shape and dtype
 *  @param b  the second array, of any shape and dtype
 *  @param assume_unique  true: the caller guarantees that no element occurs twice in an array, which saves time
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; a vector of the dtype that both promote to
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes, until the number of elements is known */
ARR_API arr_status arr_setxor1d(arr_array a, arr_array b, bool assume_unique, arr_stream stream,
                                arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
