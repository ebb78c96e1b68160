/* SPDX-License-Identifier: MIT */
/* calculus.h - differences, gradients and integrals along axes. */
#ifndef ARR_CALCULUS_H
#define ARR_CALCULUS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Differences of neighbours along an axis, out[i] = a[i + 1] - a[i], taken n times; not_equal for bool.
 *  Up to four are taken in one pass.
 *  @param a  the array
 *  @param n  how many times, 0 or more; 0 returns a view of a itself
 *  @param axis  the axis; negative values count from the end
 *  @param[in,null] prepend  put in front of a first: of a's shape but for the axis, or without dimensions; NULL:
 *      nothing
 *  @param[in,null] append  put behind a first, likewise; NULL: nothing
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.diff */
ARR_API arr_status arr_diff(arr_array a, int32_t n, int32_t axis, arr_array prepend, arr_array append,
                            arr_stream stream, arr_array *out);

/** arr_diff into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a
 *  @param a  the array
 *  @param n  how many times, 0 or more
 *  @param axis  the axis; negative values count from the end
 *  @param[in,null] prepend  put in front of a first: of a's shape but for the axis, or without dimensions; NULL:
 *      nothing
 *  @param[in,null] append  put behind a first, likewise; NULL: nothing
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_diff_into(arr_array dst, arr_array a, int32_t n, int32_t axis, arr_array prepend,
                                 arr_array append, arr_stream stream);

/** Differences of neighbours of all elements in row-major order.
 *  @param a  the array
 *  @param[in,null] to_end  elements put behind them, of any shape; cast by the same_kind rule; NULL: none
 *  @param[in,null] to_begin  elements put in front of them, likewise; NULL: none
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ediff1d */
ARR_API arr_status arr_ediff1d(arr_array a, arr_array to_end, arr_array to_begin, arr_stream stream,
                               arr_array *out);

/** Gradient: the derivative along each of some axes, by central differences of second order inside and one-sided
 *  ones at both ends. Coordinates may be unevenly spaced. Integers and bool are computed in float64.
 *  @param f  the array, along each axis of edge_order + 1 elements or more
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to differentiate along; negative values count from the end; NULL selects the
 *      first naxes, which then must be all
 *  @param[in,null,len=naxes] spacing  per axis a real number, weak or not, or a vector of coordinates; NULL: 1
 *      everywhere
 *  @param edge_order  1 or 2: order of the differences at the ends
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param nout  entries at out, naxes
 *  @param[out,len=nout] out  new references, of f's shape, in the order of the axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.gradient */
ARR_API arr_status arr_gradient(arr_array f, int32_t naxes, const int32_t *axes, const arr_value *spacing,
                                int32_t edge_order, arr_stream stream, int32_t nout, arr_array *out);

/** arr_gradient into existing arrays of f's shape; cast by the same_kind rule.
 *  @param ndst  entries at dsts, naxes
 *  @param[in,len=ndst] dsts  written, in the order of the axes; may be or overlap f
 *  @param f  the array, along each axis of edge_order + 1 elements or more
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to differentiate along; negative values count from the end; NULL selects the
 *      first naxes, which then must be all
 *  @param[in,null,len=naxes] spacing  per axis a real number, weak or not, or a vector of coordinates; NULL: 1
 *      everywhere
 *  @param edge_order  1 or 2: order of the differences at the ends
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_gradient_into(int32_t ndst, const arr_array *dsts, arr_array f, int32_t naxes,
                                     const int32_t *axes, const arr_value *spacing, int32_t edge_order,
                                     arr_stream stream);

/** Integral along an axis by the trapezoidal rule: the sum of distance * (y[i + 1] + y[i]) / 2. Sums and distances of
 *  integers do not wrap as NumPy's do, and bool counts as 0 and 1.
 *  @param y  the values
 *  @param[in,null] x  coordinates: a vector as long as the axis, or of y's shape; NULL: evenly by dx
 *  @param dx  distance of neighbours where x is NULL
 *  @param axis  the axis; negative values count from the end
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.trapezoid */
ARR_API arr_status arr_trapezoid(arr_array y, arr_array x, double dx, int32_t axis, arr_stream stream,
                                 arr_array *out);

/** arr_trapezoid into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap y or x
 *  @param y  the values
 *  @param[in,null] x  coordinates: a vector as long as the axis, or of y's shape; NULL: evenly by dx
 *  @param dx  distance of neighbours where x is NULL
 *  @param axis  the axis; negative values count from the end
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_trapezoid_into(arr_array dst, arr_array y, arr_array x, double dx, int32_t axis,
                                      arr_stream stream);

/** Running integral along an axis by the trapezoidal rule.
 *  @param y  the values, not empty along the axis
 *  @param[in,null] x  coordinates: a vector as long as the axis, or of y's shape; NULL: evenly by dx
 *  @param dx  distance of neighbours where x is NULL
 *  @param axis  the axis; negative values count from the end
 *  @param include_initial  1: a 0 in front, so that the result has y's shape; 0: one element less
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_cumulative_trapezoid(arr_array y, arr_array x, double dx, int32_t axis,
                                            int32_t include_initial, arr_stream stream, arr_array *out);

/** Removes jumps: adds multiples of the period where neighbours differ by more than half of it.
 *  @param p  phases, real; the differences of integers are those of the numbers, where NumPy's wrap. Unsigned integers
 *  with an unsigned or a plain whole period are ARR_E_DTYPE, for the result has no negative phases
 *  @param discont  jumps below it stay, if it is more than half the period; nan: half the period
 *  @param axis  the axis; negative values count from the end
 *  @param[in,null] period  a real number, weak or not; NULL: 2 pi, weak. Whole for integer phases, which then stay
 *      integers
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.unwrap */
ARR_API arr_status arr_unwrap(arr_array p, double discont, int32_t axis, const arr_value *period,
                              arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
