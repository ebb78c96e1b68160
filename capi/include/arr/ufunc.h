/* SPDX-License-Identifier: MIT */
/* ufunc.h - element-wise ops by number, and their methods: outer, reduce, accumulate, reduceat, at. */
#ifndef ARR_UFUNC_H
#define ARR_UFUNC_H
#include "arr/reduce_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------- ops by number */

/** Finds an element-wise op by its name.
 *  @param name  "add" and so on, NUL-terminated
 *  @param[out] op  its number
 *  @param[out,null] nin  number of operands; may be NULL
 *  @param[out,null] nout  number of results; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_op_find(const char *name, int32_t *op, int32_t *nin, int32_t *nout);

/** Lists the ops of the library.
 *  @param[in,index] index  0, 1, ... in the order of the table
 *  @param[out,null] op  its number; may be NULL
 *  @param[out,null] name  static text; may be NULL
 *  @param[out,null] nin  number of operands; may be NULL
 *  @param[out,null] dtypes  bit d is set if the op is computed in dtype d; may be NULL
 *  @param[out,null] doc  one line of static text; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT past the last entry
 *  @sync no */
ARR_API arr_status arr_op_info(int32_t index, int32_t *op, const char **name, int32_t *nin, int64_t *dtypes,
                               const char **doc);

/** Returns the element types of an op, one signature per call: the types of operands and results for one of the types
 *  in which the op is computed. Operands of other types are first converted to one of these.
 *  @param op  number from arr_op_find
 *  @param[in,index] index  number of the signature: 0, 1, ... from the smallest type on
 *  @param count  number of entries at types: operands and results together, as arr_op_find returns them
 *  @param[out,len=count] types  the operands' types, followed by the results'
 *  @return ARR_OK, ARR_E_ARGUMENT past the last signature
 *  @sync no */
ARR_API arr_status arr_op_types(int32_t op, int32_t index, int32_t count, arr_dtype *types);

/** Options of arr_ufunc. Zero everything, then set struct_size. */
typedef struct arr_ufunc_options {
  int64_t struct_size; /* sizeof(arr_ufunc_options) */
  arr_dtype dtype; /* dtype of the computation and the result: operands are cast to it first; 0: promotion */
  int32_t casting; /* ARR_CAST_... from operands to dtype, and from the result to a destination */
  int32_t order;   /* ARR_ORDER_C, ARR_ORDER_F; used if order_set is 1 */
  int32_t order_set; /* 0: keeps the operands' order (K) */
  arr_array where;   /* a mask of bool that broadcasts: where to compute; NULL: everywhere */
} arr_ufunc_options;

/** Runs any op of the table by its number. Operands are arrays or scalars, and at least one is an array. Elements
 *  for which options->where is false are 0. options->dtype is NumPy's dtype=: with int64 the sum of two int8 arrays
 *  is computed in int64 and does not wrap. A dtype that the op cannot return is ARR_E_DTYPE: comparisons return bool
 *  only, and frexp has two results of different types.
 *  @param op  number from arr_op_find
 *  @param nin  number of operands
 *  @param[in,len=nin] in  arrays and scalars, weak or not
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param nout  number of entries at out: the number of results that arr_op_find returns
 *  @param[out,len=nout] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_ufunc(int32_t op, int32_t nin, const arr_value *in, const arr_ufunc_options *options,
                             arr_stream stream, int32_t nout, arr_array *out);

/** Runs an op with one result by its number into an existing array. Elements for which options->where is false are
 *  not changed. options->dtype selects the type of the computation; the destination does not.
 *  @param[in,written] dst  the destination, an array or a view; may be or overlap an operand or the mask
 *  @param op  number from arr_op_find
 *  @param nin  number of operands
 *  @param[in,len=nin] in  arrays and scalars, weak or not
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_ufunc_into(arr_array dst, int32_t op, int32_t nin, const arr_value *in,
                                  const arr_ufunc_options *options, arr_stream stream);

/** Runs an op with two results (divmod, modf, frexp) by its number into two existing arrays. Elements for which
 *  options->where is false are not changed. One pass computes both results into temporaries, which are then copied.
 *  @param[in,written] dst_first  the destination of the first result, an array or a view; may be or overlap an operand
 *      or the mask
 *  @param[in,written] dst_second  the destination of the second result, an array or a view; may be or overlap an
 *      operand or the mask; must not overlap dst_first
 *  @param op  number from arr_op_find
 *  @param nin  number of operands
 *  @param[in,len=nin] in  arrays and scalars, weak or not
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_ufunc_pair_into(arr_array dst_first, arr_array dst_second, int32_t op, int32_t nin,
                                       const arr_value *in, const arr_ufunc_options *options,
                                       arr_stream stream);

/* ---------------------------------------------------------------------------------------------------------- methods */

/** Applies an op to each pair of an element of one array and an element of another.
 *  @param op  number from arr_op_find
 *  @param a  the array whose axes come first in the result
 *  @param b  the array whose axes come last
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of the shape of a followed by that of b
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_ufunc_outer(int32_t op, arr_array a, arr_array b, const arr_ufunc_options *options,
                                   arr_stream stream, arr_array *out);

/** Writes the result of arr_ufunc_outer into an existing array of the shape of a followed by that of b. Elements for
 *  which options->where is false are not changed.
 *  @param[in,written] dst  the destination; may be or overlap an operand or the mask
 *  @param op  number from arr_op_find
 *  @param a  the array whose axes come first
 *  @param b  the array whose axes come last
 *  @param[in,null] options  the options; NULL selects the defaults; dtype must be 0; casting applies to dst
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_ufunc_outer_into(arr_array dst, int32_t op, arr_array a, arr_array b,
                                        const arr_ufunc_options *options, arr_stream stream);

/** Reduces an array over axes by an element-wise op. The ops are add, multiply, minimum, maximum, fmin, fmax,
 *  logical_and, logical_or, logical_xor, bitwise_and, bitwise_or, bitwise_xor, logaddexp, logaddexp2, hypot, gcd,
 *  lcm. Other ops with two operands and a result of their type (subtract, divide, power, left_shift and so on) run
 *  from left to right along one axis (over all axes of a vector). They have no identity, and each step's result is
 *  rounded to the type. On a GPU one thread processes each sequence.
 *  @param op  number from arr_op_find
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all (NumPy's default is axis 0)
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_ufunc_reduce(int32_t op, arr_array a, int32_t naxes, const int32_t *axes,
                                    bool keepdims, const arr_reduce_options *options, arr_stream stream,
                                    arr_array *out);

/** Computes the running reduction by an op along one axis: out[i] combines all elements up to i. It takes the ops of
 *  arr_ufunc_reduce; ops whose order matters run from left to right.
 *  @param op  number from arr_op_find
 *  @param a  the array, with one dimension or more
 *  @param axis  the axis
 *  @param dtype  the dtype of the accumulator and of the result; 0 selects the reduction's default, which is 64 bits
 *      for small integers
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_ufunc_accumulate(int32_t op, arr_array a, int32_t axis, arr_dtype dtype,
                                        arr_stream stream, arr_array *out);

/** Writes the result of arr_ufunc_accumulate into an existing array of the shape of a; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a
 *  @param op  number from arr_op_find
 *  @param a  the array, with one dimension or more
 *  @param axis  the axis
 *  @param dtype  the dtype of the accumulator; 0 selects the reduction's default, which is 64 bits for small
 *      integers
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_ufunc_accumulate_into(arr_array dst, int32_t op, arr_array a, int32_t axis,
                                             arr_dtype dtype, arr_stream stream);

/** Reduces slices of one axis by an op: out[i] reduces a[indices[i]:indices[i + 1]], or is a[indices[i]] if the next
 *  index is not larger; the last slice extends to the end. It takes the ops of arr_ufunc_accumulate. Up to four
 *  groups of neighbouring slices of equal length become one reduction each; other slices are reduced in one call,
 *  for which their bounds are copied to the device.
 *  @param op  number from arr_op_find
 *  @param a  the array, with one dimension or more
 *  @param nindices  number of slices; the extent of the result's axis
 *  @param[in,index,len=nindices] indices  start of each slice, from 0 to the axis' extent - 1, in host memory
 *  @param axis  the axis
 *  @param dtype  the dtype of the accumulator and of the result; 0 selects the reduction's default, which is 64 bits
 *      for small integers
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNSUPPORTED
 *  @sync no; waits for a GPU's stream if bounds are copied */
ARR_API arr_status arr_ufunc_reduceat(int32_t op, arr_array a, int64_t nindices, const int64_t *indices,
                                      int32_t axis, arr_dtype dtype, arr_stream stream, arr_array *out);

/** Writes the result of arr_ufunc_reduceat into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a
 *  @param op  number from arr_op_find
 *  @param a  the array, with one dimension or more
 *  @param nindices  number of slices; the extent of the result's axis
 *  @param[in,len=nindices] indices  start of each slice, from 0 to the axis' extent - 1, in host memory
 *  @param axis  the axis
 *  @param dtype  the dtype of the accumulator; 0 selects the reduction's default, which is 64 bits for small
 *      integers
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_UNSUPPORTED
 *  @sync no; waits for a GPU's stream if bounds are copied */
ARR_API arr_status arr_ufunc_reduceat_into(arr_array dst, int32_t op, arr_array a, int64_t nindices,
                                           const int64_t *indices, int32_t axis, arr_dtype dtype,
                                           arr_stream stream);

/** Applies an op in place at indices: a[indices[0], indices[1], ...] = op(a[...], b), where the indices broadcast
 *  and select along the first axes. Repeated indices accumulate, unlike in a read followed by an op and a write: on
 *  the host in row-major order of the indices' shape, on a CUDA device in any order, so the last digits of sums of
 *  floats vary between calls. Operands that share memory with a are read before it changes. If an index is out of
 *  range, nothing is written.
 *  @param op  number from arr_op_find of an op with one or two operands and one result
 *  @param[in,written] a  the array; it is written; results are cast to its dtype by any rule, as in NumPy
 *  @param nindices  number of index arrays, 1 to the number of a's axes
 *  @param[in,len=nindices,positions] indices  arrays of integers; negative values count from the end of their axis
 *  @param[in,null] b  the second operand, an array or a scalar; it broadcasts to the indices' shape followed by the
 *      remaining axes of a; NULL for an op with one operand
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the indices, whose range is checked */
ARR_API arr_status arr_ufunc_at(int32_t op, arr_array a, int32_t nindices, const arr_array *indices,
                                const arr_value *b, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
