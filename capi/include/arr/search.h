/* SPDX-License-Identifier: MIT */
/* search.h - places in sorted vectors, and interpolation between points. */
#ifndef ARR_SEARCH_H
#define ARR_SEARCH_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARR_SEARCH_LEFT 0  /* in front of elements equal to v: a[i - 1] < v <= a[i] */
#define ARR_SEARCH_RIGHT 1 /* behind them: a[i - 1] <= v < a[i] */

/** Where elements would go in a sorted vector so that it stays sorted, by binary search; nan is sorted last,
 *  complex numbers by their real and then their imaginary parts. Both are compared in the type they promote to.
 *  @param a  [n] the vector, in rising order (by sorter); otherwise the places mean nothing
 *  @param v  the elements, of any shape
 *  @param side  ARR_SEARCH_LEFT or ARR_SEARCH_RIGHT
 *  @param[in,null] sorter  [n] integer positions that put a in order; one outside counts as the first or last; NULL: a
 *      is
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; int64, of v's shape, from 0 to n
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.searchsorted, cupy.ndarray.searchsorted */
ARR_API arr_status arr_searchsorted(arr_array a, arr_array v, int32_t side, arr_array sorter,
                                    arr_stream stream, arr_array *out);

/** The bin of each element: i where bins[i - 1] <= x < bins[i], for falling edges bins[i - 1] > x >= bins[i]; 0
 *  before the first edge and n after the last. NaN sorts after every number.
 *  @param x  the elements, real, of any shape
 *  @param bins  [n] edges in rising or in falling order, real
 *  @param right  1: a bin holds its right edge in place of its left one, bins[i - 1] < x <= bins[i]; else 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; int64, of x's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (edges in no order), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync yes, until the order of the edges is known   @threads any   @since 0.1
 *  @cupy cupy.digitize */
ARR_API arr_status arr_digitize(arr_array x, arr_array bins, int32_t right, arr_stream stream,
                                arr_array *out);

/** Interpolation, piecewise linear: the value at x of the function through the points (xp[i], fp[i]). nan stays nan,
 *  of complex values in the real part.
 *  @param x  coordinates, real, of any shape
 *  @param xp  [n] coordinates of the points, real and in rising order unless there is a period; n is 1 or more
 *  @param fp  [n] their values; complex ones part by part
 *  @param[in,null] left  the value below xp[0], a scalar; NULL: fp[0]
 *  @param[in,null] right  the value above xp[n - 1], a scalar; NULL: fp[n - 1]
 *  @param period  of the coordinates, which are then taken modulo it and sorted, and left and right are ignored; 0:
 *                 none
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; float64, or complex128 for complex fp, of x's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync only with a period: the points are sorted on the host   @threads any   @since 0.1
 *  @cupy cupy.interp */
ARR_API arr_status arr_interp(arr_array x, arr_array xp, arr_array fp, const arr_value *left,
                              const arr_value *right, double period, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
