/* SPDX-License-Identifier: MIT */
/* search.h - binary search in sorted vectors (searchsorted, digitize) and linear interpolation. */
#ifndef ARR_SEARCH_H
#define ARR_SEARCH_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARR_SEARCH_LEFT 0  /* before elements equal to v: a[i - 1] < v <= a[i] */
#define ARR_SEARCH_RIGHT 1 /* after elements equal to v: a[i - 1] <= v < a[i] */

/** Returns the indices at which elements must be inserted into a sorted vector to keep it sorted, by binary search.
 *  NaN sorts after every number; complex numbers are compared by their real and then by their imaginary parts. Both
 *  operands are compared in the dtype that they promote to, except that an int64 and a uint64 compare exactly.
 *  @param a  [n] the vector, in ascending order (by sorter); for other orders the indices are meaningless
 *  @param v  the elements to insert, of any shape
 *  @param side  ARR_SEARCH_LEFT or ARR_SEARCH_RIGHT
 *  @param[in,null,positions] sorter  [n] integer indices that sort a; an index out of range counts as the first or
 *      last; NULL if a itself is sorted
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; int64, of v's shape, from 0 to n
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_searchsorted(arr_array a, arr_array v, int32_t side, arr_array sorter,
                                    arr_stream stream, arr_array *out);

/** Returns the bin of each element: i where bins[i - 1] <= x < bins[i], or for descending edges bins[i - 1] > x >=
 *  bins[i]; 0 before the first edge and n after the last. NaN sorts after every number. Elements and edges are compared
 *  as by arr_searchsorted.
 *  @param x  the elements, real, of any shape
 *  @param bins  [n] edges in ascending or descending order, real
 *  @param right  true: a bin includes its right edge instead of its left edge, bins[i - 1] < x <= bins[i]
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; int64, of x's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (edges that are not monotonic), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync yes, until the order of the edges is known */
ARR_API arr_status arr_digitize(arr_array x, arr_array bins, bool right, arr_stream stream, arr_array *out);

/** Interpolates linearly: the result is the value at x of the function through the points (xp[i], fp[i]). nan stays
 *  nan; for complex values it is in the real part.
 *  @param x  coordinates, real, of any shape
 *  @param xp  [n] coordinates of the points, real and in ascending order unless there is a period; n is 1 or more
 *  @param fp  [n] values of the points; complex values are interpolated part by part
 *  @param[in,null] left  the value below xp[0], a scalar; NULL selects fp[0]
 *  @param[in,null] right  the value above xp[n - 1], a scalar; NULL selects fp[n - 1]
 *  @param period  period of the coordinates, which are then reduced modulo it and sorted, and left and right are
 *      ignored; 0: none
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; float64, or complex128 for complex fp, of x's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync only with a period: the host sorts the points */
ARR_API arr_status arr_interp(arr_array x, arr_array xp, arr_array fp, const arr_value *left,
                              const arr_value *right, double period, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
