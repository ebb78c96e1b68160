/* SPDX-License-Identifier: MIT */
/* masks.h - selecting, finding and writing the elements for which a mask is true. */
#ifndef ARR_MASKS_H
#define ARR_MASKS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Returns the slices along an axis for which a condition is true.
 *  @param condition  a vector; nonzero elements are true. It may be shorter than the axis, or longer if the rest is
 *      false
 *  @param a  the array
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of true elements */
ARR_API arr_status arr_compress(arr_array condition, arr_array a, int32_t axis, arr_stream stream,
                                arr_array *out);

/** Returns the elements for which a condition is true, as a vector in row-major order.
 *  @param condition  nonzero elements are true; element i in row-major order selects element i of a
 *  @param a  the array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the number of true elements */
ARR_API arr_status arr_extract(arr_array condition, arr_array a, arr_stream stream, arr_array *out);

/** Returns the indices of the nonzero elements in row-major order, as one vector per axis. NumPy's where with one
 *  argument is this function.
 *  @param a  the array, of one dimension or more
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param nout  number of entries at out: the number of dimensions of a
 *  @param[out,len=nout,positions] out  new references; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for their number */
ARR_API arr_status arr_nonzero(arr_array a, arr_stream stream, int32_t nout, arr_array *out);

/** Returns the indices of the nonzero elements, counted in row-major order.
 *  @param a  the array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference, int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for their number */
ARR_API arr_status arr_flatnonzero(arr_array a, arr_stream stream, arr_array *out);

/** Returns the indices of the nonzero elements in row-major order, as the rows of a matrix.
 *  @param a  the array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference; int64, one column per axis
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for their number */
ARR_API arr_status arr_argwhere(arr_array a, arr_stream stream, arr_array *out);

/* ----------------------------------------------------------------- selections into arrays of a given extent */

/* The functions above wait for the number of true elements, because it is the extent of their result. The functions
 * whose names end in _sized write to arrays of any extent and do not wait, so a graph can capture them. Elements of
 * `dst` after the selected ones are set to `fill`; selected elements that do not fit are dropped. `count` receives the
 * number of all selected elements, which is larger than the extent of `dst` if some did not fit. A `dst` without
 * elements only counts. */

/** Writes the result of arr_flatnonzero into a vector of any extent.
 *  @param[in,written,positions] dst  a vector of int64
 *  @param[in,written] count  an array of int64 without dimensions: receives the number of nonzero elements
 *  @param a  the array
 *  @param fill  the number for the elements of dst after the indices
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_flatnonzero_sized(arr_array dst, arr_array count, arr_array a, int64_t fill,
                                         arr_stream stream);

/** Writes the result of arr_nonzero into vectors of any extent.
 *  @param ndst  number of entries at dst: the number of dimensions of a
 *  @param[in,len=ndst,positions] dst  vectors of int64 and of one extent, written; they must not share memory
 *  @param[in,written] count  an array of int64 without dimensions: receives the number of nonzero elements
 *  @param a  the array, of one dimension or more
 *  @param fill  the number for the elements of each vector after the indices
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_nonzero_sized(int32_t ndst, const arr_array *dst, arr_array count, arr_array a,
                                     int64_t fill, arr_stream stream);

/** Writes the result of arr_argwhere into a matrix with any number of rows.
 *  @param[in,written,positions] dst  a matrix of int64 with one column per axis
 *  @param[in,written] count  an array of int64 without dimensions: receives the number of nonzero elements
 *  @param a  the array
 *  @param fill  the number for the rows of dst after the indices
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_argwhere_sized(arr_array dst, arr_array count, arr_array a, int64_t fill,
                                      arr_stream stream);

/** Writes the result of arr_extract into a vector of any extent. Elements of the condition beyond the size of a are
 *  ignored.
 *  @param[in,written] dst  a vector, to whose dtype a casts by the same_kind rule
 *  @param[in,written] count  an array of int64 without dimensions: receives the number of true elements
 *  @param condition  nonzero elements are true; element i in row-major order selects element i of a
 *  @param a  the array
 *  @param fill  a scalar for the elements of dst after the selected ones
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_extract_sized(arr_array dst, arr_array count, arr_array condition, arr_array a,
                                     const arr_value *fill, arr_stream stream);

/** Writes the result of arr_compress into an array of any extent along the axis. Elements of the condition beyond
 *  the extent of the axis are ignored.
 *  @param[in,written] dst  an array with the extents of a along the other axes, to whose dtype a casts by the
 *      same_kind rule
 *  @param[in,written] count  an array of int64 without dimensions: receives the number of true elements
 *  @param condition  a vector; nonzero elements are true; it may be shorter than the axis
 *  @param a  the array
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param fill  a scalar for the slices of dst after the selected ones
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_compress_sized(arr_array dst, arr_array count, arr_array condition, arr_array a,
                                      int32_t axis, const arr_value *fill, arr_stream stream);

/* --------------------------------------------------------------------------------- writing through masks */

/** Writes consecutive values to the elements for which a mask is true (NumPy's place).
 *  @param[in,written] a  the array, written
 *  @param mask  an array with as many elements as a; nonzero elements are true
 *  @param values  an array, cast by the same_kind rule and repeated to the number of true elements; or a scalar
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (no values for true elements), ARR_E_SHAPE, ARR_E_DTYPE,
 *      ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync only if values has no elements */
ARR_API arr_status arr_place(arr_array a, arr_array mask, const arr_value *values, arr_stream stream);

/** Writes values to the elements for which a mask is true: value i, in row-major order, to element i.
 *  @param[in,written] a  the array, written
 *  @param mask  an array with as many elements as a; nonzero elements are true
 *  @param values  an array, cast by the same_kind rule and repeated to the size of a; if it has no elements, nothing
 *      is written; or a scalar
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_putmask(arr_array a, arr_array mask, const arr_value *values, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
