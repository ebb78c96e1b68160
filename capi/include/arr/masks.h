/* SPDX-License-Identifier: MIT */
/* masks.h - selecting elements where a mask is true, the indices of these, and writing to them. */
#ifndef ARR_MASKS_H
#define ARR_MASKS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Slices along an axis where a vector is true.
 *  @param condition  a vector; what is not zero is true. It may be shorter than the axis, or longer where the rest is
 *      false
 *  @param a  the array
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: all elements in row-major order
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of true elements   @threads any   @since 0.1
 *  @cupy cupy.compress, cupy.ndarray.compress */
ARR_API arr_status arr_compress(arr_array condition, arr_array a, int32_t axis, arr_stream stream,
                                arr_array *out);

/** Elements in row-major order where a condition is true, as a vector.
 *  @param condition  what is not zero is true; in row-major order it stands for the elements of a
 *  @param a  the array
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of true elements   @threads any   @since 0.1
 *  @cupy cupy.extract */
ARR_API arr_status arr_extract(arr_array condition, arr_array a, arr_stream stream, arr_array *out);

/** Positions of the elements that are not zero, as a vector of coordinates per axis, in row-major order. It is
 *  where() with one argument.
 *  @param a  the array, of one dimension or more
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param nout  entries at out, the dimensions of a
 *  @param[out,len=nout,positions] out  new references; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for their number   @threads any   @since 0.1
 *  @cupy cupy.nonzero, cupy.ndarray.nonzero */
ARR_API arr_status arr_nonzero(arr_array a, arr_stream stream, int32_t nout, arr_array *out);

/** Positions in row-major order of the elements that are not zero.
 *  @param a  the array
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,positions] out  one new reference; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for their number   @threads any   @since 0.1
 *  @cupy cupy.flatnonzero */
ARR_API arr_status arr_flatnonzero(arr_array a, arr_stream stream, arr_array *out);

/** Positions of the elements that are not zero, as rows of a matrix, in row-major order.
 *  @param a  the array
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,positions] out  one new reference; int64, a column per axis
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for their number   @threads any   @since 0.1
 *  @cupy cupy.argwhere */
ARR_API arr_status arr_argwhere(arr_array a, arr_stream stream, arr_array *out);

/* ----------------------------------------------------------------- selections into arrays of a given extent */

/* The functions above wait for the number of true elements, because it is the extent of their result. Those that end
 * in _sized write to arrays of any extent and do not wait, so a graph can capture them. What follows the selected
 * elements becomes `fill`, and elements for which there is no room are left out. The number of all that are selected
 * goes to an array, which tells whether there was room; a `dst` without elements only counts. */

/** arr_flatnonzero into a vector of any extent.
 *  @param[in,written,positions] dst  a vector of int64
 *  @param[in,written] count  an array without dimensions, of int64: receives the number of elements that are not zero
 *  @param a  the array
 *  @param fill  for the elements of dst after the positions
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_flatnonzero_sized(arr_array dst, arr_array count, arr_array a, int64_t fill,
                                         arr_stream stream);

/** arr_nonzero into vectors of any extent.
 *  @param ndst  entries at dst, the dimensions of a
 *  @param[in,len=ndst,positions] dst  vectors of int64 and of one extent, which are written and share no memory
 *  @param[in,written] count  an array without dimensions, of int64: receives the number of elements that are not zero
 *  @param a  the array, of one dimension or more
 *  @param fill  for the elements of each vector after the coordinates
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_nonzero_sized(int32_t ndst, const arr_array *dst, arr_array count, arr_array a,
                                     int64_t fill, arr_stream stream);

/** arr_argwhere into a matrix of any number of rows.
 *  @param[in,written,positions] dst  a matrix of int64, with a column per axis
 *  @param[in,written] count  an array without dimensions, of int64: receives the number of elements that are not zero
 *  @param a  the array
 *  @param fill  for the rows of dst after the coordinates
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_argwhere_sized(arr_array dst, arr_array count, arr_array a, int64_t fill,
                                      arr_stream stream);

/** arr_extract into a vector of any extent. Elements of the condition after the end of a do not count.
 *  @param[in,written] dst  a vector, to whose dtype that of a casts with the same_kind rule
 *  @param[in,written] count  an array without dimensions, of int64: receives the number of true elements
 *  @param condition  what is not zero is true; in row-major order it stands for the elements of a
 *  @param a  the array
 *  @param fill  a scalar for the elements of dst after the selected ones
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_extract_sized(arr_array dst, arr_array count, arr_array condition, arr_array a,
                                     const arr_value *fill, arr_stream stream);

/** arr_compress into an array of any extent along the axis. Elements of the condition after the end of the axis do
 *  not count.
 *  @param[in,written] dst  an array of the other extents of a, to whose dtype that of a casts with the same_kind rule
 *  @param[in,written] count  an array without dimensions, of int64: receives the number of true elements
 *  @param condition  a vector; what is not zero is true; it may be shorter than the axis
 *  @param a  the array
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: all elements in row-major order
 *  @param fill  a scalar for the slices of dst after the selected ones
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_compress_sized(arr_array dst, arr_array count, arr_array condition, arr_array a,
                                      int32_t axis, const arr_value *fill, arr_stream stream);

/* --------------------------------------------------------------------------------- writes to masks */

/** Writes to the true places of a mask one value after the other.
 *  @param[in,written] a  the array, written
 *  @param mask  of as many elements as a; what is not zero is true
 *  @param values  an array, repeated as often as the places need, cast by the same_kind rule; or a scalar
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (no values for true places), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE, ARR_E_READONLY
 *  @sync only where values has no elements   @threads any   @since 0.1
 *  @cupy cupy.place */
ARR_API arr_status arr_place(arr_array a, arr_array mask, const arr_value *values, arr_stream stream);

/** Writes to the true places of a mask the values of the same positions.
 *  @param[in,written] a  the array, written
 *  @param mask  of as many elements as a; what is not zero is true
 *  @param values  an array, repeated as often as the elements of a need, cast by the same_kind rule; without elements
 *      nothing is written; or a scalar
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.putmask */
ARR_API arr_status arr_putmask(arr_array a, arr_array mask, const arr_value *values, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
