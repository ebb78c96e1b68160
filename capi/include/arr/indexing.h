/* SPDX-License-Identifier: MIT */
/* indexing.h - reading and writing elements by index expressions, index arrays and masks; choosing between arrays;
 * grids, diagonals and triangles of indices. */
#ifndef ARR_INDEXING_H
#define ARR_INDEXING_H
#include <stddef.h>

#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------ indices out of range */

#define ARR_BOUNDS_RAISE 0 /* an error, and nothing is written; -1 selects the last element */
#define ARR_BOUNDS_CLIP 1  /* clipped to the first or the last element; -1 selects the first */
#define ARR_BOUNDS_WRAP 2  /* taken modulo the extent; -1 selects the last element */
/** as ARR_BOUNDS_RAISE, but unchecked: the caller guarantees that all indices are in range */
#define ARR_BOUNDS_UNCHECKED 3
/** as ARR_BOUNDS_RAISE, but 1 selects the first element: 0 and -1 are out of range */
#define ARR_BOUNDS_FROM_ONE 4

/* --------------------------------------------------------------------------------- index expressions */

#define ARR_INDEX_ALL 0     /* ":", the whole axis */
#define ARR_INDEX_SLICE 1   /* start:stop:step by Python's rules; INT64_MIN and INT64_MAX leave an end open */
#define ARR_INDEX_INTEGER 2 /* the integer index `start`, which removes the axis */
#define ARR_INDEX_NEW_AXIS 3 /* a new axis of extent 1 */
#define ARR_INDEX_ELLIPSIS 4 /* ":" for the axes that no other index covers */
#define ARR_INDEX_ARRAY 5    /* `array` of integers, or a mask of bool that covers as many axes as it has */

/** One index of an index expression; zero-initialised it is ":". */
typedef struct arr_index {
  int32_t kind;    /* ARR_INDEX_... */
  int32_t flags;   /* 0 */
  int64_t start;   /* start of a slice, or the integer index; negative values count from the end */
  int64_t stop;    /* end of a slice, excluded */
  int64_t step;    /* step of a slice; 0 stands for 1 */
  arr_array array; /* the array of ARR_INDEX_ARRAY; borrowed */
} arr_index;

/* ARR_GET(a, &out, ARR_SLICE(1, 5), ARR_ARRAY(idx)) is a[1:5, idx]; ARR_SET(a, ARR_INTEGER(0), ARR_ARRAY(mask)) is
 * a[mask] = 0. They are calls that return a status. The indices of a macro live until the end of the full expression,
 * in C until the end of the enclosing block. */
#define ARR_GET(a, out, ...) arr_get_items((a), ARR_INDICES(__VA_ARGS__), ARR_BOUNDS_RAISE, NULL, (out))
#define ARR_SET(a, value, ...) arr_set_items((a), ARR_INDICES(__VA_ARGS__), (value), ARR_BOUNDS_RAISE, NULL)
#define ARR_UPDATE(op, a, value, ...) \
  arr_update_items((op), (a), ARR_INDICES(__VA_ARGS__), (value), ARR_BOUNDS_RAISE, NULL)

/* The indices of an index expression. ARR_INDICES expands to two arguments: their number and their address. `| 0` makes
 * the compiler refuse numbers with fractions. */
#define ARR_ALL() ARR_INDEX_(ARR_INDEX_ALL, 0, 0, 0, NULL)
#define ARR_SLICE(start, stop) ARR_INDEX_(ARR_INDEX_SLICE, (start), (stop), 1, NULL)
#define ARR_STEPS(start, stop, step) ARR_INDEX_(ARR_INDEX_SLICE, (start), (stop), (step), NULL)
#define ARR_FROM(start) ARR_INDEX_(ARR_INDEX_SLICE, (start), INT64_MAX, 1, NULL)
#define ARR_BEFORE(stop) ARR_INDEX_(ARR_INDEX_SLICE, INT64_MIN, (stop), 1, NULL)
#define ARR_REVERSED() ARR_INDEX_(ARR_INDEX_SLICE, INT64_MAX, INT64_MIN, -1, NULL)
#define ARR_INDEX(i) ARR_INDEX_(ARR_INDEX_INTEGER, (i), 0, 0, NULL)
#define ARR_NEW_AXIS() ARR_INDEX_(ARR_INDEX_NEW_AXIS, 0, 0, 0, NULL)
#define ARR_ELLIPSIS() ARR_INDEX_(ARR_INDEX_ELLIPSIS, 0, 0, 0, NULL)
#define ARR_ARRAY(array) ARR_INDEX_(ARR_INDEX_ARRAY, 0, 0, 0, (array))
#ifndef __cplusplus
#define ARR_INDEX_(kind, start, stop, step, array) \
  ((arr_index){(kind), 0, (start) | 0, (stop) | 0, (step) | 0, (array)})
#define ARR_INDICES(...) \
  ((int32_t)(sizeof((arr_index[]){__VA_ARGS__}) / sizeof(arr_index))), ((arr_index[]){__VA_ARGS__})
#else
#define ARR_INDEX_(kind, start, stop, step, array)                                           \
  (arr_index{(kind), 0, static_cast<int64_t>((start) | 0), static_cast<int64_t>((stop) | 0), \
             static_cast<int64_t>((step) | 0), (array)})
#define ARR_INDICES(...) \
  static_cast<int32_t>(sizeof(arr_macros::counted(__VA_ARGS__))), arr_macros::list({__VA_ARGS__})
#endif

/* Values of type const arr_value *: ARR_INTEGER is a weak integer and ARR_REAL a weak float64, which take the dtype of
 * the array; ARR_ELEMENTS stands for the elements of an array. */
#ifndef __cplusplus
#define ARR_INTEGER(n) (&(arr_value){ARR_VALUE_SCALAR | ARR_VALUE_WEAK, ARR_INT64, (n) | 0, 0})
#define ARR_REAL(number)                                        \
  (&(arr_value){ARR_VALUE_SCALAR | ARR_VALUE_WEAK, ARR_FLOAT64, \
                ((union {                                       \
                  double x;                                     \
                  int64_t bits;                                 \
                }){(number)})                                   \
                    .bits,                                      \
                0})
#define ARR_ELEMENTS(array) (&(arr_value){ARR_VALUE_ARRAY, 0, (int64_t)(intptr_t)(array), 0})
#else
#define ARR_INTEGER(n) \
  arr_macros::value({ARR_VALUE_SCALAR | ARR_VALUE_WEAK, ARR_INT64, static_cast<int64_t>((n) | 0), 0})
#define ARR_REAL(number) arr_macros::value(arr_macros::real(number))
#define ARR_ELEMENTS(array) arr_macros::value(arr_macros::elements(array))
#endif

/** Returns a[...] by NumPy's indexing rules. Without index arrays the result is a view that shares memory with a.
 *  Index arrays broadcast with each other; their axes replace the indexed axes if these are adjacent, and come first
 *  otherwise. An integer index beside an index array is treated as an index array. A mask is equivalent to its
 *  nonzero indices in row-major order, and must have the extents of the axes that it covers.
 *  @param a  the array
 *  @param nindices  number of indices; further axes are not indexed
 *  @param[in,len=nindices] indices  the indices
 *  @param bounds  ARR_BOUNDS_...: how indices out of range are handled
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync waits for masks, whose true elements are counted; with ARR_BOUNDS_RAISE the host reports an index out of
 *      range at once, another device in the next call that waits */
ARR_API arr_status arr_get_items(arr_array a, int32_t nindices, const arr_index *indices, int32_t bounds,
                                 arr_stream stream, arr_array *out);

/** Assigns a[...] = value by NumPy's indexing rules. If an index occurs more than once, the last value wins. If an
 *  index is out of range, nothing is written. If the value or the indices share memory with a, they are read before
 *  a is written.
 *  @param[in,written] a  the array, written
 *  @param nindices  number of indices; further axes are not indexed
 *  @param[in,len=nindices] indices  the indices, as in arr_get_items
 *  @param value  an array that broadcasts to the result of arr_get_items, cast by the same_kind rule; or a scalar,
 *      cast to the dtype of a, which must hold a weak number as in arr_full
 *  @param bounds  ARR_BOUNDS_...: how indices out of range are handled
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for masks, except where a scalar is assigned to a single mask, and with ARR_BOUNDS_RAISE for the
 *      check of the indices */
ARR_API arr_status arr_set_items(arr_array a, int32_t nindices, const arr_index *indices,
                                 const arr_value *value, int32_t bounds, arr_stream stream);

/** Computes a[...] = op(a[...], value) in place; repeated indices accumulate (NumPy's ufunc.at). The host
 *  accumulates in row-major order; a CUDA device in any order, so the last digits of sums of floats vary between
 *  calls. If an index is out of range, nothing is written.
 *  @param op  number from arr_op_find of an op with one or two operands and one result
 *  @param[in,written] a  the array, written; results are cast to its dtype by any rule
 *  @param nindices  number of indices; further axes are not indexed
 *  @param[in,len=nindices] indices  the indices, as in arr_get_items
 *  @param[in,null] value  the second operand, an array that broadcasts to the result of arr_get_items, or a scalar;
 *      NULL for an op of one operand
 *  @param bounds  ARR_BOUNDS_...: how indices out of range are handled
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for masks, and with ARR_BOUNDS_RAISE for the check of the indices */
ARR_API arr_status arr_update_items(int32_t op, arr_array a, int32_t nindices, const arr_index *indices,
                                    const arr_value *value, int32_t bounds, arr_stream stream);

/* ------------------------------------------------------------------------------------ along one axis */

/** Takes elements along an axis by index: a[..., indices, ...]. Any index into an axis without elements is
 *  ARR_E_ARGUMENT, whatever the bounds.
 *  @param a  the array
 *  @param[in,positions] indices  the indices: integers, of any shape
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param bounds  ARR_BOUNDS_...: how indices out of range are handled
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; the shape of indices replaces the axis
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync no: with ARR_BOUNDS_RAISE the host reports an index out of range at once, another device in the next call
 *      that waits */
ARR_API arr_status arr_take(arr_array a, arr_array indices, int32_t axis, int32_t bounds, arr_stream stream,
                            arr_array *out);

/** Takes elements along an axis by matching 1-D slices of indices, as returned by arr_argsort and arr_argmax.
 *  @param a  the array
 *  @param[in,positions] indices  the indices: integers, with as many dimensions as a; the other axes broadcast
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order; indices is then a vector
 *  @param bounds  ARR_BOUNDS_...: how indices out of range are handled
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync no: with ARR_BOUNDS_RAISE the host reports an index out of range at once, another device in the next call
 *      that waits */
ARR_API arr_status arr_take_along_axis(arr_array a, arr_array indices, int32_t axis, int32_t bounds,
                                       arr_stream stream, arr_array *out);

/** Writes values to elements given by their indices in row-major order. If an index occurs more than once, the last
 *  value wins. If an index is out of range, nothing is written.
 *  @param[in,written] a  the array, written
 *  @param[in,positions] indices  the indices: integers, of any shape
 *  @param value  an array, cast by the same_kind rule and repeated to the number of indices; if it has no elements,
 *      nothing is written; or a scalar
 *  @param bounds  ARR_BOUNDS_...: how indices out of range are handled
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE, ARR_E_READONLY
 *  @sync with ARR_BOUNDS_RAISE it waits for the check of the indices */
ARR_API arr_status arr_put(arr_array a, arr_array indices, const arr_value *value, int32_t bounds,
                           arr_stream stream);

/** Writes values along an axis by matching 1-D slices of indices, as returned by arr_argsort and arr_argmax.
 *  @param[in,written] a  the array, written
 *  @param[in,positions] indices  the indices: integers, with as many dimensions as a; the other axes broadcast
 *  @param value  an array that broadcasts to the shape of the indexed elements, cast by the same_kind rule, or a
 *      scalar
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order; indices is then a vector
 *  @param bounds  ARR_BOUNDS_...: how indices out of range are handled
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE, ARR_E_READONLY
 *  @sync with ARR_BOUNDS_RAISE it waits for the check of the indices */
ARR_API arr_status arr_put_along_axis(arr_array a, arr_array indices, const arr_value *value, int32_t axis,
                                      int32_t bounds, arr_stream stream);

/* -------------------------------------------------------------------------------------- choices */

/** Builds an array by choosing each element from one of several arrays: choices[index[i]][i] after broadcasting
 *  (NumPy's choose).
 *  @param[in,positions] index  the index of the array to choose from for each element: integers
 *  @param n  number of choices, 1 or more
 *  @param[in,len=n] choices  arrays; the result has the dtype that all promote to
 *  @param bounds  ARR_BOUNDS_...: how indices out of range are handled; negative indices are out of range
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync no: with ARR_BOUNDS_RAISE the host reports a number out of range at once, another device in the next call
 *      that waits */
ARR_API arr_status arr_choose(arr_array index, int32_t n, const arr_array *choices, int32_t bounds,
                              arr_stream stream, arr_array *out);

/** Builds an array by choosing each element from the array of the first condition that is true (NumPy's select). All
 *  arrays broadcast.
 *  @param n  number of conditions, 1 or more
 *  @param[in,len=n] conditions  arrays of bool
 *  @param[in,len=n] choices  one array for each condition; the result has the dtype that these and the default
 *      promote to
 *  @param otherwise  the default, a scalar: the result where no condition is true
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_select(int32_t n, const arr_array *conditions, const arr_array *choices,
                              const arr_value *otherwise, arr_stream stream, arr_array *out);

/* --------------------------------------------------------------------------------------------------- masks */

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

/* --------------------------------------------------------------------------------------- arrays of indices */

/** Converts the coordinates of elements to indices in row-major or column-major order. The arrays of coordinates
 *  broadcast.
 *  @param n  number of axes, 1..ARR_MAX_NDIM
 *  @param[in,len=n,positions] indices  the coordinates along each axis: integers
 *  @param[in,len=n] shape  extents of the array
 *  @param[in,null,len=n] bounds  ARR_BOUNDS_... for each axis; negative coordinates are out of range; NULL selects
 *      ARR_BOUNDS_RAISE for all
 *  @param order  ARR_ORDER_C or ARR_ORDER_F: the order in which elements are counted
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference, int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (a coordinate is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync with ARR_BOUNDS_RAISE it waits for the check of the coordinates */
ARR_API arr_status arr_ravel_multi_index(int32_t n, const arr_array *indices, const int64_t *shape,
                                         const int32_t *bounds, int32_t order, arr_stream stream,
                                         arr_array *out);

/** Converts indices in row-major or column-major order to coordinates along each axis.
 *  @param[in,positions] indices  the indices: integers, 0 or more
 *  @param n  number of axes
 *  @param[in,len=n] shape  extents of the array
 *  @param order  ARR_ORDER_C or ARR_ORDER_F: the order in which elements are counted
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param nout  number of entries at out: n
 *  @param[out,len=nout,positions] out  new references; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync waits for the check of the indices */
ARR_API arr_status arr_unravel_index(arr_array indices, int32_t n, const int64_t *shape, int32_t order,
                                     arr_stream stream, int32_t nout, arr_array *out);

/** Converts vectors of indices to arrays that select every combination of them (NumPy's ix_). Vector k becomes an
 *  array whose axis k has the vector's length and whose other axes have extent 1.
 *  @param n  number of vectors, 0..ARR_MAX_NDIM
 *  @param[in,len=n,positions] vectors  the indices along each axis: integers, or bool for the indices where it is
 *      true
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param nout  number of entries at out: n
 *  @param[out,len=nout,view,positions] out  new references; views of the vectors that hold integers
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for vectors of bool */
ARR_API arr_status arr_ix(int32_t n, const arr_array *vectors, arr_stream stream, int32_t nout,
                          arr_array *out);

/** Returns the coordinates of every element of an array: out[k, i...] is i[k].
 *  @param ndim  number of axes
 *  @param[in,len=ndim] shape  extents of the array
 *  @param dtype  the dtype of the result
 *  @param[in] device  the device of the result
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out  one new reference, of ndim + 1 dimensions
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_indices(int32_t ndim, const int64_t *shape, arr_dtype dtype, const arr_device *device,
                               arr_stream stream, arr_array *out);

/** Returns the coordinates of a main diagonal: 0 to n - 1 for each axis.
 *  @param n  number of elements of the diagonal
 *  @param[in] device  the device of the result
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param nout  number of entries at out: one per axis
 *  @param[out,len=nout,positions] out  new references; int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_diag_indices(int64_t n, const arr_device *device, arr_stream stream, int32_t nout,
                                    arr_array *out);

/** Returns the row and column indices of the lower triangle of a matrix: the elements at and below a diagonal.
 *  @param rows  number of rows of the matrix
 *  @param columns  number of columns of the matrix
 *  @param k  the diagonal: 0 is the main one, positive values are above it, negative ones below it
 *  @param[in] device  the device of the result
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out_i  one new reference: the row indices, int64
 *  @param[out,positions] out_j  one new reference: the column indices, int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_tril_indices(int64_t rows, int64_t columns, int64_t k, const arr_device *device,
                                    arr_stream stream, arr_array *out_i, arr_array *out_j);

/** Returns the row and column indices of the upper triangle of a matrix: the elements at and above a diagonal.
 *  @param rows  number of rows of the matrix
 *  @param columns  number of columns of the matrix
 *  @param k  the diagonal: 0 is the main one, positive values are above it, negative ones below it
 *  @param[in] device  the device of the result
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,positions] out_i  one new reference: the row indices, int64
 *  @param[out,positions] out_j  one new reference: the column indices, int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_triu_indices(int64_t rows, int64_t columns, int64_t k, const arr_device *device,
                                    arr_stream stream, arr_array *out_i, arr_array *out_j);

/** Writes values to the main diagonal a[i, i, ...].
 *  @param[in,written] a  the array, written, of two or more dimensions; if it has more than two, all extents must be
 *      equal
 *  @param value  an array, cast by the same_kind rule and repeated to the length of the diagonal, or a scalar
 *  @param wrap  true: the diagonal of a tall matrix starts again every columns + 1 rows (NumPy's wrap=True)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_fill_diagonal(arr_array a, const arr_value *value, bool wrap, arr_stream stream);

#ifdef __cplusplus
}

/* For the macros above. References to temporaries, which live until the end of the whole expression. */
namespace arr_macros {
template <class... Index>
char (&counted(const Index &...))[sizeof...(Index)];  // for sizeof, so that no index is evaluated twice
template <decltype(sizeof(0)) N>
inline const arr_index *list(const arr_index (&indices)[N]) {
  return indices;
}
inline const arr_value *value(const arr_value &v) { return &v; }
inline arr_value real(double x) {
  arr_value v;
  arr_value_f64(&v, x);
  arr_value_weak(&v);
  return v;
}
inline arr_value elements(arr_array a) {
  arr_value v;
  arr_value_array(&v, a);
  return v;
}
}  // namespace arr_macros
#endif
#endif
