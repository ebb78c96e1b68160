/* SPDX-License-Identifier: MIT */
/* ufunc.h - element-wise ops by number, and their methods: outer, reduce, accumulate, reduceat, at. */
#ifndef ARR_UFUNC_H
#define ARR_UFUNC_H
#include "arr/reduce_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------- ops by number */

/** Finds an element-wise op.
 *  @param name  "add" and so on, NUL-terminated
 *  @param[out] op  its number
 *  @param[out,null] nin  number of operands; may be NULL
 *  @param[out,null] nout  number of results; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ufunc.nin, cupy.ufunc.nout, cupy.ufunc.nargs */
ARR_API arr_status arr_op_find(const char *name, int32_t *op, int32_t *nin, int32_t *nout);

/** Lists the ops of the library.
 *  @param[in,index] index  0, 1, ... in the table's order
 *  @param[out,null] op  its number; may be NULL
 *  @param[out,null] name  static; may be NULL
 *  @param[out,null] nin  number of operands; may be NULL
 *  @param[out,null] dtypes  bit d is set when it is computed in dtype d; may be NULL
 *  @param[out,null] doc  one line, static; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT past the last
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ufunc.name */
ARR_API arr_status arr_op_info(int32_t index, int32_t *op, const char **name, int32_t *nin, int64_t *dtypes,
                               const char **doc);

/** The element types of an op, one signature after the other: those of operands and results in the types that it
 *  is computed in. Operands of other types are converted to one of these first.
 *  @param op  number from arr_op_find
 *  @param[in,index] index  which signature: 0, 1, ... from the smallest type on
 *  @param count  entries at types: operands and results together, as arr_op_find tells
 *  @param[out,len=count] types  the operands' types, then the results'
 *  @return ARR_OK, ARR_E_ARGUMENT past the last signature
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ufunc.types */
ARR_API arr_status arr_op_types(int32_t op, int32_t index, int32_t count, arr_dtype *types);

/** Options of arr_ufunc. Zero everything, then set struct_size. */
typedef struct arr_ufunc_options {
  int64_t struct_size; /* sizeof(arr_ufunc_options) */
  arr_dtype dtype;     /* of the result, which is computed in it: operands are cast first; 0: by promotion */
  int32_t casting;     /* ARR_CAST_... from operands to dtype, and from the result to a destination */
  int32_t order;       /* ARR_ORDER_C, _F; 0 is C only when order_set is 1 */
  int32_t order_set;   /* 0: keep the operands' order (K) */
  arr_array where;     /* of bool, broadcasts: only elements where it is true are computed; NULL: all */
} arr_ufunc_options;

/** Runs any op of the table by number; operands are arrays or scalars, at least one an array. Elements that
 *  options->where leaves out are 0. options->dtype is NumPy's dtype=: the sum of two int8 as int64 is made in int64 and
 *  does not wrap. A dtype that the op has no result of is ARR_E_DTYPE: comparisons give bool only, frexp has two
 *  results of different types.
 *  @param op  number from arr_op_find
 *  @param nin  number of operands
 *  @param[in,len=nin] in  arrays and scalars, weak or not
 *  @param[in,null] options  NULL for the defaults
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param nout  entries at out: the results that arr_op_find told
 *  @param[out,len=nout] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ufunc, cupy.ufunc(kwarg dtype), cupy.ufunc(kwarg casting), cupy.ufunc(kwarg where) */
ARR_API arr_status arr_ufunc(int32_t op, int32_t nin, const arr_value *in, const arr_ufunc_options *options,
                             arr_stream stream, int32_t nout, arr_array *out);

/** Runs an op of one result by number into an existing array. Elements that options->where leaves out stay. The
 *  destination does not choose the type that is computed in, options->dtype does.
 *  @param[in,written] dst  the array or view, written; may be an operand or the mask, or overlap them
 *  @param op  number from arr_op_find
 *  @param nin  number of operands
 *  @param[in,len=nin] in  arrays and scalars, weak or not
 *  @param[in,null] options  NULL for the defaults
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ufunc(kwarg out) */
ARR_API arr_status arr_ufunc_into(arr_array dst, int32_t op, int32_t nin, const arr_value *in,
                                  const arr_ufunc_options *options, arr_stream stream);

/** Runs an op of two results (divmod, modf, frexp) by number into two existing arrays. Elements that options->where
 *  leaves out stay. Both are computed in one pass into memory of their own and then written.
 *  @param[in,written] dst_first  the array or view of the first result, written; may be or overlap an operand or the
 *      mask
 *  @param[in,written] dst_second  the array or view of the second result, written; likewise, but not overlap dst_first
 *  @param op  number from arr_op_find
 *  @param nin  number of operands
 *  @param[in,len=nin] in  arrays and scalars, weak or not
 *  @param[in,null] options  NULL for the defaults
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *  ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_ufunc_pair_into(arr_array dst_first, arr_array dst_second, int32_t op, int32_t nin,
                                       const arr_value *in, const arr_ufunc_options *options,
                                       arr_stream stream);

/* ---------------------------------------------------------------------------------------------------------- methods */

/** An op of two operands for each element of one array with each of another.
 *  @param op  number from arr_op_find
 *  @param a  the array whose axes come first in the result
 *  @param b  the array whose axes come last
 *  @param[in,null] options  NULL for the defaults
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, of the shape of a followed by that of b
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ufunc.outer */
ARR_API arr_status arr_ufunc_outer(int32_t op, arr_array a, arr_array b, const arr_ufunc_options *options,
                                   arr_stream stream, arr_array *out);

/** arr_ufunc_outer into an existing array of the shape of a followed by that of b. Elements that options->where
 *  leaves out stay.
 *  @param[in,written] dst  written; may be or overlap an operand or the mask
 *  @param op  number from arr_op_find
 *  @param a  the array whose axes come first
 *  @param b  the array whose axes come last
 *  @param[in,null] options  NULL for the defaults; dtype must be 0, casting is to that of dst
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_ufunc_outer_into(arr_array dst, int32_t op, arr_array a, arr_array b,
                                        const arr_ufunc_options *options, arr_stream stream);

/** The `reduce` of an element-wise op: add, multiply, minimum, maximum, fmin, fmax, logical_and, logical_or,
 *  logical_xor, bitwise_and, bitwise_or, bitwise_xor, logaddexp, logaddexp2, hypot, gcd, lcm. Other ops of two operands
 *  whose result has their type (subtract, divide, power, left_shift and the like) go from left to right along one axis
 *  (all axes of a vector) and have no identity; each step's result is rounded to the type. On a GPU a thread goes along
 *  each sequence.
 *  @param op  number from arr_op_find
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all (NumPy's
 *      default is axis 0)
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] options  NULL for the defaults
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ufunc.reduce */
ARR_API arr_status arr_ufunc_reduce(int32_t op, arr_array a, int32_t naxes, const int32_t *axes,
                                    int32_t keepdims, const arr_reduce_options *options, arr_stream stream,
                                    arr_array *out);

/** Running reduction by an op along one axis: out[i] combines all elements up to i. The ops that
 *  arr_ufunc_reduce takes; those whose order counts go from left to right.
 *  @param op  number from arr_op_find
 *  @param a  the array, of one dimension or more
 *  @param axis  the axis; negative values count from the end
 *  @param dtype  type of the accumulator and of the result; 0 selects the reduction's default, which is 64 bits for
 *      small integers
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ufunc.accumulate */
ARR_API arr_status arr_ufunc_accumulate(int32_t op, arr_array a, int32_t axis, arr_dtype dtype,
                                        arr_stream stream, arr_array *out);

/** arr_ufunc_accumulate into an existing array of the shape of a; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a
 *  @param op  number from arr_op_find
 *  @param a  the array, of one dimension or more
 *  @param axis  the axis; negative values count from the end
 *  @param dtype  accumulated in; 0: as the reduction's result, small integers in 64 bits
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *  ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_ufunc_accumulate_into(arr_array dst, int32_t op, arr_array a, int32_t axis,
                                             arr_dtype dtype, arr_stream stream);

/** Reduction by an op of slices of one axis: out[i] reduces a[indices[i]:indices[i + 1]], or is
 *  a[indices[i]] where the next index is not larger; the last slice goes on to the end. The same ops as
 *  arr_ufunc_accumulate. Up to four runs of neighbouring slices of one length are a reduction each; others are one
 *  call for all, whose bounds go to the device first.
 *  @param op  number from arr_op_find
 *  @param a  the array, of one dimension or more
 *  @param nindices  number of slices, the extent of the result's axis
 *  @param[in,index,len=nindices] indices  where each slice starts, from 0 to the axis' extent - 1, on the host
 *  @param axis  the axis; negative values count from the end
 *  @param dtype  reduced in and of the result; 0: as the reduction's result, small integers in 64 bits
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNSUPPORTED
 *  @sync no; a GPU's stream is waited for where bounds go there   @threads any   @since 0.1
 *  @cupy cupy.ufunc.reduceat */
ARR_API arr_status arr_ufunc_reduceat(int32_t op, arr_array a, int64_t nindices, const int64_t *indices,
                                      int32_t axis, arr_dtype dtype, arr_stream stream, arr_array *out);

/** arr_ufunc_reduceat into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a
 *  @param op  number from arr_op_find
 *  @param a  the array, of one dimension or more
 *  @param nindices  number of slices, the extent of the result's axis
 *  @param[in,len=nindices] indices  where each slice starts, from 0 to the axis' extent - 1, on the host
 *  @param axis  the axis; negative values count from the end
 *  @param dtype  reduced in; 0: as the reduction's result, small integers in 64 bits
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *  ARR_E_UNSUPPORTED
 *  @sync no; a GPU's stream is waited for where bounds go there   @threads any   @since 0.1 */
ARR_API arr_status arr_ufunc_reduceat_into(arr_array dst, int32_t op, arr_array a, int64_t nindices,
                                           const int64_t *indices, int32_t axis, arr_dtype dtype,
                                           arr_stream stream);

/** An op in place at chosen elements: a[indices[0], indices[1], ...] = op(that, b), where the indices broadcast
 *  and stand for the first axes. Unlike a read, an op and a write, an element that is met several times takes all
 *  of them in: on the host one after the other in row-major order of the indices' shape, on a CUDA device in any
 *  order, so that sums of floats differ in their last digits from run to run. Operands that share memory with a
 *  are read as they were. Nothing is written where an index is out of range.
 *  @param op  number from arr_op_find, of one or two operands and one result
 *  @param[in,written] a  the array, written; results are cast to its dtype, whatever that is, as by NumPy
 *  @param nindices  number of index arrays, 1 to the number of a's axes
 *  @param[in,len=nindices] indices  arrays of integers; negative ones count from the end of their axis
 *  @param[in,null] b  the second operand, an array or a scalar: broadcasts to the indices' shape and the rest of a's;
 *  NULL for an op of one operand
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *  ARR_E_READONLY, ARR_E_UNSUPPORTED where the arrays are more than a program takes
 *  @sync waits for the indices, whose range is checked   @threads any   @since 0.1
 *  @cupy cupy.ufunc.at, cupyx.scatter_add, cupyx.scatter_max, cupyx.scatter_min, cupy.ndarray.scatter_add,
 *  cupy.ndarray.scatter_max, cupy.ndarray.scatter_min */
ARR_API arr_status arr_ufunc_at(int32_t op, arr_array a, int32_t nindices, const arr_array *indices,
                                const arr_value *b, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
