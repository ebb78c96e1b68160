/* SPDX-License-Identifier: MIT */
/* indexing.h - reading and writing elements by index expressions and index arrays; choosing between arrays. */
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
#define ARR_BOUNDS_PROMISED 3

/* --------------------------------------------------------------------------------- index expressions */

#define ARR_INDEX_ALL 0   /* ":", the whole axis */
#define ARR_INDEX_SLICE 1 /* start:stop:step by Python's rules; INT64_MIN and INT64_MAX leave an end open */
#define ARR_INDEX_AT 2    /* the integer index `start`, which removes the axis */
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

/* ARR_GET(a, &out, ARR_SLICE(1, 5), ARR_BY(idx)) is a[1:5, idx]; ARR_SET(a, ARR_WHOLE(0), ARR_BY(mask)) is a[mask] = 0.
 * They are calls that return a status. The indices of a macro live until the end of the full expression, in C until the
 * end of the enclosing block. */
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
#define ARR_AT(position) ARR_INDEX_(ARR_INDEX_AT, (position), 0, 0, NULL)
#define ARR_NEW_AXIS() ARR_INDEX_(ARR_INDEX_NEW_AXIS, 0, 0, 0, NULL)
#define ARR_ELLIPSIS() ARR_INDEX_(ARR_INDEX_ELLIPSIS, 0, 0, 0, NULL)
#define ARR_BY(array) ARR_INDEX_(ARR_INDEX_ARRAY, 0, 0, 0, (array))
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

/* Values of type const arr_value *: ARR_WHOLE is a weak integer and ARR_REAL a weak float64, which take the dtype of
 * the array; ARR_ELEMENTS stands for the elements of an array. */
#ifndef __cplusplus
#define ARR_WHOLE(n) (&(arr_value){ARR_VALUE_SCALAR | ARR_VALUE_WEAK, ARR_INT64, (n) | 0, 0})
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
#define ARR_WHOLE(n) \
  arr_macros::value({ARR_VALUE_SCALAR | ARR_VALUE_WEAK, ARR_INT64, static_cast<int64_t>((n) | 0), 0})
#define ARR_REAL(number) arr_macros::value(arr_macros::real(number))
#define ARR_ELEMENTS(array) arr_macros::value(arr_macros::elements(array))
#endif

/** Returns a[...] by NumPy's indexing rules. Without index arrays the result is a view that shares memory with a.
 *  Index arrays broadcast with each other; their axes replace the indexed axes if these are adjacent, and come first
 *  otherwise. An integer index beside an index array is treated as an index array. A mask is equivalent to its
 *  nonzero indices in row-major order, and must have the extents of the axes that it covers.
 *  @param a  the array
 *  @param nindices  number of indices; axes beyond them are taken whole
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
 *  @param nindices  number of indices; axes beyond them are taken whole
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
 *  @param nindices  number of indices; axes beyond them are taken whole
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
ARR_API arr_status arr_cases(int32_t n, const arr_array *conditions, const arr_array *choices,
                             const arr_value *otherwise, arr_stream stream, arr_array *out);

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
