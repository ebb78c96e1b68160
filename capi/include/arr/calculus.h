/* SPDX-License-Identifier: MIT */
/* calculus.h - differences, gradients and integrals along axes. */
#ifndef ARR_CALCULUS_H
#define ARR_CALCULUS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Computes the differences of neighbours along an axis, out[i] = a[i + 1] - a[i], n times. For bool it uses not_equal.
 *  One pass computes up to four differences.
 *  @param a  the array
 *  @param n  number of times, 0 or more; 0 returns a view of a
 *  @param axis  the axis
 *  @param[in,null] prepend  values to put before a along the axis: of a's shape except along the axis, or without
 *      dimensions; NULL selects none
 *  @param[in,null] append  values to put after a along the axis, of the same form as prepend; NULL selects none
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_diff(arr_array a, int32_t n, int32_t axis, arr_array prepend, arr_array append,
                            arr_stream stream, arr_array *out);

/** Writes the result of arr_diff into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a
 *  @param a  the array
 *  @param n  number of times, 0 or more
 *  @param axis  the axis
 *  @param[in,null] prepend  values to put before a along the axis: of a's shape except along the axis, or without
 *      dimensions; NULL selects none
 *  @param[in,null] append  values to put after a along the axis, of the same form as prepend; NULL selects none
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_diff_into(arr_array dst, arr_array a, int32_t n, int32_t axis, arr_array prepend,
                                 arr_array append, arr_stream stream);

/** Computes the differences of neighbours, over all elements in row-major order.
 *  @param a  the array
 *  @param[in,null] to_end  elements to put after the differences, of any shape; cast by the same_kind rule; NULL
 *      selects none
 *  @param[in,null] to_begin  elements to put before the differences, of any shape; cast by the same_kind rule; NULL
 *      selects none
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_ediff1d(arr_array a, arr_array to_end, arr_array to_begin, arr_stream stream,
                               arr_array *out);

/** Computes the gradient: the derivative along each of the given axes, by central differences of second order in the
 *  interior and one-sided differences at both ends. Coordinates may be unevenly spaced. Integers and bool are computed
 *  in float64.
 *  @param f  the array; each axis has edge_order + 1 elements or more
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to differentiate along; NULL selects the first naxes, which then must be all
 *      axes
 *  @param[in,null,len=naxes] spacing  for each axis a real number, weak or not, or a vector of coordinates; NULL
 *      selects 1 everywhere
 *  @param edge_order  1 or 2: order of the differences at the ends
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param nout  number of entries at out; must be naxes
 *  @param[out,len=nout] out  new references to arrays of f's shape, in the order of the axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_gradient(arr_array f, int32_t naxes, const int32_t *axes, const arr_value *spacing,
                                int32_t edge_order, arr_stream stream, int32_t nout, arr_array *out);

/** Writes the results of arr_gradient into existing arrays of f's shape; cast by the same_kind rule.
 *  @param ndst  number of entries at dsts; must be naxes
 *  @param[in,len=ndst] dsts  the destinations, in the order of the axes; they may be or overlap f
 *  @param f  the array; each axis has edge_order + 1 elements or more
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to differentiate along; NULL selects the first naxes, which then must be all
 *      axes
 *  @param[in,null,len=naxes] spacing  for each axis a real number, weak or not, or a vector of coordinates; NULL
 *      selects 1 everywhere
 *  @param edge_order  1 or 2: order of the differences at the ends
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_gradient_into(int32_t ndst, const arr_array *dsts, arr_array f, int32_t naxes,
                                     const int32_t *axes, const arr_value *spacing, int32_t edge_order,
                                     arr_stream stream);

/** Integrates along an axis by the trapezoidal rule: the result is the sum of distance * (y[i + 1] + y[i]) / 2. Unlike
 *  NumPy's, sums and distances of integers do not wrap, and bool counts as 0 and 1.
 *  @param y  the values
 *  @param[in,null] x  coordinates: a vector as long as the axis, or an array of y's shape; NULL selects even spacing by
 *      dx
 *  @param dx  distance between neighbours; used if x is NULL
 *  @param axis  the axis
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_trapezoid(arr_array y, arr_array x, double dx, int32_t axis, arr_stream stream,
                                 arr_array *out);

/** Writes the result of arr_trapezoid into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap y or x
 *  @param y  the values
 *  @param[in,null] x  coordinates: a vector as long as the axis, or an array of y's shape; NULL selects even spacing by
 *      dx
 *  @param dx  distance between neighbours; used if x is NULL
 *  @param axis  the axis
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_trapezoid_into(arr_array dst, arr_array y, arr_array x, double dx, int32_t axis,
                                      arr_stream stream);

/** Computes the running integral along an axis by the trapezoidal rule.
 *  @param y  the values; the axis must not be empty
 *  @param[in,null] x  coordinates: a vector as long as the axis, or an array of y's shape; NULL selects even spacing by
 *      dx
 *  @param dx  distance between neighbours; used if x is NULL
 *  @param axis  the axis
 *  @param include_initial  true: the result starts with a 0 and has y's shape; false: one element less along the
 *      axis
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_cumulative_trapezoid(arr_array y, arr_array x, double dx, int32_t axis,
                                            bool include_initial, arr_stream stream, arr_array *out);

/** Removes jumps in phases: it adds multiples of the period where neighbours differ by more than half of the period.
 *  @param p  phases, real. Differences of integers are exact, while NumPy's wrap. Unsigned integers with an unsigned or
 *      a plain integer period are ARR_E_DTYPE, because the result would need negative phases
 *  @param discont  smaller jumps stay, if discont is more than half the period; nan selects half the period
 *  @param axis  the axis
 *  @param[in,null] period  a real number, weak or not; NULL selects 2 pi, weak. An integer period keeps integer phases
 *      integers
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_unwrap(arr_array p, double discont, int32_t axis, const arr_value *period,
                              arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
