/* SPDX-License-Identifier: MIT */
/* indexing.h - reading and writing at computed places: index expressions, index arrays, choices. */
#ifndef ARR_INDEXING_H
#define ARR_INDEXING_H
#include <stddef.h>

#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------ out of range */

#define ARR_BOUNDS_RAISE 0 /* an error, and nothing is written; -1 is the last element */
#define ARR_BOUNDS_CLIP 1  /* the first or the last element; -1 is the first */
#define ARR_BOUNDS_WRAP 2  /* the remainder by the extent; -1 is the last element */
#define ARR_BOUNDS_PROMISED \
  3 /* as RAISE, but the caller promises that all are in range: nothing is checked */

/* --------------------------------------------------------------------------------- index expressions */

#define ARR_INDEX_ALL 0      /* ":", the whole axis */
#define ARR_INDEX_SLICE 1    /* start:stop:step by Python's rules; INT64_MIN or INT64_MAX leave an end open */
#define ARR_INDEX_AT 2       /* the position `start`, whose axis goes away */
#define ARR_INDEX_NEW_AXIS 3 /* a new axis of extent 1 @cupy cupy.newaxis */
#define ARR_INDEX_ELLIPSIS 4 /* as many whole axes as the others leave */
#define ARR_INDEX_ARRAY 5    /* `array` of integers, or of bool for as many axes as it has */

/** One index of an index expression; zero-initialised it is ":". */
typedef struct arr_index {
  int32_t kind;    /* ARR_INDEX_... */
  int32_t flags;   /* 0 */
  int64_t start;   /* of a slice; the position of ARR_INDEX_AT; negative from the end */
  int64_t stop;    /* of a slice, not included */
  int64_t step;    /* of a slice; 0 counts as 1 */
  arr_array array; /* of ARR_INDEX_ARRAY; borrowed */
} arr_index;

/* ARR_GET(a, &out, ARR_SLICE(1, 5), ARR_BY(idx)) is a[1:5, idx]; ARR_SET(a, ARR_WHOLE(0), ARR_BY(mask)) is a[mask] = 0:
 * calls that return a status. A macro's indices live as long as the expression that it stands in, in C as its block. */
#define ARR_GET(a, out, ...) arr_get_items((a), ARR_INDICES(__VA_ARGS__), ARR_BOUNDS_RAISE, NULL, (out))
#define ARR_SET(a, value, ...) arr_set_items((a), ARR_INDICES(__VA_ARGS__), (value), ARR_BOUNDS_RAISE, NULL)
#define ARR_UPDATE(op, a, value, ...) \
  arr_update_items((op), (a), ARR_INDICES(__VA_ARGS__), (value), ARR_BOUNDS_RAISE, NULL)

/* Indices of one list, and the two arguments that such a list is. By `| 0` numbers with fractions do not compile. */
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

/* Values, of type const arr_value *: plain numbers, which take the dtype of the array, and the elements of an array. */
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

/** a[...] by NumPy's rules. Without arrays among the indices the result is a view, which shares memory. Arrays
 *  broadcast with each other; their dimensions stand in place where such indices are neighbours, and else come first.
 *  Beside an array, a position counts as one. A mask stands for its true places in row-major order, and must have
 *  the extents of the axes that it covers.
 *  @param a  the array
 *  @param nindices  number of indices; axes that they leave are taken whole
 *  @param[in,len=nindices] indices  the indices
 *  @param bounds  ARR_BOUNDS_...: what positions and integers out of range mean
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync waits for masks, whose true places are counted; with ARR_BOUNDS_RAISE the host reports an integer out of range
 *        at once, another device in the next call that waits
 *  @threads any   @since 0.1
 *  @cupy cupy.ndarray.__getitem__, cupy.ndarray[index: integer], cupy.ndarray[index: ellipsis/newaxis],
 *  cupy.ndarray[index: integer array (advanced)], cupy.ndarray[index: boolean mask],
 *  cupy.ndarray[index: mixed basic+advanced] */
ARR_API arr_status arr_get_items(arr_array a, int32_t nindices, const arr_index *indices, int32_t bounds,
                                 arr_stream stream, arr_array *out);

/** a[...] = value. Of a place that is met twice the last value stays. Where an index is out of range nothing is
 *  written. Value and indices that share memory with a are read as they were.
 *  @param[in,written] a  the array, written
 *  @param nindices  number of indices; axes that they leave are taken whole
 *  @param[in,len=nindices] indices  the indices, as of arr_get_items
 *  @param value  an array that broadcasts to the result of arr_get_items, cast by the same_kind rule, or a scalar,
 *      cast to the dtype of a, in which a weak number must fit, as in arr_full
 *  @param bounds  ARR_BOUNDS_...: what positions and integers out of range mean
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for masks, but not where a scalar goes to one mask alone, and with ARR_BOUNDS_RAISE for the check of the
 *  integers   @threads any   @since 0.1
 *  @cupy cupy.ndarray.__setitem__, cupy.ndarray[setitem: boolean mask with array] */
ARR_API arr_status arr_set_items(arr_array a, int32_t nindices, const arr_index *indices,
                                 const arr_value *value, int32_t bounds, arr_stream stream);

/** a[...] = op(a[...], value), where a place that is met several times takes each value in: on the host in row-major
 *  order, on a CUDA device in any order, so that sums of floats differ in their last digits from run to run. Where an
 *  index is out of range nothing is written.
 *  @param op  number from arr_op_find, of one or two operands and one result
 *  @param[in,written] a  the array, written; results are cast to its dtype, whatever that is
 *  @param nindices  number of indices; axes that they leave are taken whole
 *  @param[in,len=nindices] indices  the indices, as of arr_get_items
 *  @param[in,null] value  the second operand, an array that broadcasts to the result of arr_get_items, or a scalar;
 *      NULL for an op of one operand
 *  @param bounds  ARR_BOUNDS_...: what positions and integers out of range mean
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for masks, and with ARR_BOUNDS_RAISE for the check of the integers   @threads any   @since 0.1 */
ARR_API arr_status arr_update_items(int32_t op, arr_array a, int32_t nindices, const arr_index *indices,
                                    const arr_value *value, int32_t bounds, arr_stream stream);

/* ------------------------------------------------------------------------------------ along one axis */

/** Elements along an axis at the places that integers name: a[.., indices, ..]. An axis without elements has none, for
 *  any bounds.
 *  @param a  the array
 *  @param[in,positions] indices  integers, of any shape
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: all elements in row-major order
 *  @param bounds  ARR_BOUNDS_...: what an index out of range means
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; the axis is replaced by those of indices
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync no: with ARR_BOUNDS_RAISE the host reports an index out of range at once, another device in the next call that
 *        waits   @threads any   @since 0.1
 *  @cupy cupy.take, cupy.ndarray.take, cupy.ndarray.flat, cupy.flatiter */
ARR_API arr_status arr_take(arr_array a, arr_array indices, int32_t axis, int32_t bounds, arr_stream stream,
                            arr_array *out);

/** In each line along an axis the elements that indices of the same line name, as arr_argmax and sorting give them.
 *  @param a  the array
 *  @param[in,positions] indices  integers, of as many dimensions as a; the other axes broadcast
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: a counts as a vector, and indices are one
 *  @param bounds  ARR_BOUNDS_...: what an index out of range means
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync no: with ARR_BOUNDS_RAISE the host reports an index out of range at once, another device in the next call that
 *        waits   @threads any   @since 0.1
 *  @cupy cupy.take_along_axis */
ARR_API arr_status arr_take_along_axis(arr_array a, arr_array indices, int32_t axis, int32_t bounds,
                                       arr_stream stream, arr_array *out);

/** Writes to elements that are counted in row-major order; the last value stays where one is met twice. Where an index
 *  is out of range nothing is written.
 *  @param[in,written] a  the array, written
 *  @param[in,positions] indices  integers, of any shape
 *  @param value  an array, repeated as often as the indices need, cast by the same_kind rule; without elements
 *      nothing is written; or a scalar
 *  @param bounds  ARR_BOUNDS_...: what an index out of range means
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE, ARR_E_READONLY
 *  @sync with ARR_BOUNDS_RAISE it waits for the check of the indices   @threads any   @since 0.1
 *  @cupy cupy.put, cupy.ndarray.put, cupy.ndarray.flat, cupy.flatiter */
ARR_API arr_status arr_put(arr_array a, arr_array indices, const arr_value *value, int32_t bounds,
                           arr_stream stream);

/** Writes in each line along an axis to the elements that indices of the same line name.
 *  @param[in,written] a  the array, written
 *  @param[in,positions] indices  integers, of as many dimensions as a; the other axes broadcast
 *  @param value  an array that broadcasts to the places, cast by the same_kind rule, or a scalar
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: a counts as a vector, and indices are one
 *  @param bounds  ARR_BOUNDS_...: what an index out of range means
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE, ARR_E_READONLY
 *  @sync with ARR_BOUNDS_RAISE it waits for the check of the indices   @threads any   @since 0.1
 *  @cupy cupy.put_along_axis */
ARR_API arr_status arr_put_along_axis(arr_array a, arr_array indices, const arr_value *value, int32_t axis,
                                      int32_t bounds, arr_stream stream);

/* -------------------------------------------------------------------------------------- choices */

/** Element by element the one of several arrays that an index names: choices[index[i]][i], all broadcast.
 *  @param[in,positions] index  integers
 *  @param n  number of choices, 1 or more
 *  @param[in,len=n] choices  arrays; the result has the dtype that all promote to
 *  @param bounds  ARR_BOUNDS_...: what an index out of range means; negative ones are
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (an index is out of range), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY,
 *          ARR_E_DEVICE
 *  @sync no: with ARR_BOUNDS_RAISE the host reports a number out of range at once, another device in the next call that
 *        waits   @threads any   @since 0.1
 *  @cupy cupy.choose, cupy.ndarray.choose */
ARR_API arr_status arr_choose(arr_array index, int32_t n, const arr_array *choices, int32_t bounds,
                              arr_stream stream, arr_array *out);

/** Element by element the choice of the first condition that is true; NumPy's select. All broadcast.
 *  @param n  number of conditions, 1 or more
 *  @param[in,len=n] conditions  arrays of bool
 *  @param[in,len=n] choices  an array for each; the result has the dtype that all and the default promote to
 *  @param otherwise  a scalar: the result where no condition is true
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.select */
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
