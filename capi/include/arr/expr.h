/* SPDX-License-Identifier: MIT */
/* expr.h - fused expressions: build once, run on any shapes in one pass; and ops by number. */
#ifndef ARR_EXPR_H
#define ARR_EXPR_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------- ops by number */

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

/* --------------------------------------------------------------------------------- fused expressions */

/** Starts an empty expression.
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fuse */
ARR_API arr_status arr_expr_create(arr_expr *out);

/** The node of an input array.
 *  @param e  the expression
 *  @param[in,index] index  which argument of arr_expr_run, from 0
 *  @param[out] node  its node
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_input(arr_expr e, int32_t index, int32_t *node);

/** The node of a number.
 *  @param e  the expression
 *  @param value  a scalar, weak or not; not NULL
 *  @param[out] node  its node
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_constant(arr_expr e, const arr_value *value, int32_t *node);

/** The node of an op on nodes.
 *  @param e  the expression
 *  @param op  number from arr_op_find
 *  @param nargs  number of operands of the op
 *  @param[in,len=nargs] args  nodes
 *  @param[out] node  its node
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_op(arr_expr e, int32_t op, int32_t nargs, const int32_t *args, int32_t *node);

/** The node of a cast.
 *  @param e  the expression
 *  @param arg  a node
 *  @param dtype  element type
 *  @param[out] node  its node
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_cast(arr_expr e, int32_t arg, arr_dtype dtype, int32_t *node);

/** The node of an element's index along an axis of the shape that the inputs broadcast to, as int64. It is
 *  read from a vector of the numbers 0, 1, ... that the library keeps per device, one input of the program.
 *  @param e  the expression
 *  @param axis  the axis; negative values count from the end
 *  @param[out] node  its node
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_index(arr_expr e, int32_t axis, int32_t *node);

/** Parses a formula such as "sqrt(a*a + b*b)" into a new expression. It has Python's operators and precedences:
 *  + - * / // % ** << >> & | ^ ~ < <= > >= == != and or not (element by element; comparisons do not chain),
 *  parentheses, operations by NumPy's names as in where(c, a, b), casts as in float32(a), index(axis), the
 *  constants pi, e, inf, nan, True, False, and numbers, which are plain as in Python (1j is imaginary) and are
 *  computed with each other beforehand. Other names are variables; so is e where vars has it. The expression then runs
 *  with as many inputs as it has variables, or one, for the shape, where it has none; more are ARR_E_ARGUMENT.
 *  @param[in,bytes=length] text  the formula, at most 65536 bytes
 *  @param length  bytes of text; -1 when NUL-terminated
 *  @param nvars  number of variables named; 0: the variables are the inputs in the order in which they first appear
 *  @param[in,null,len=nvars] vars  names of the inputs 0, 1, ..., each once, of letters, digits and "_"; may be NULL
 *      when there are none
 *  @param[out] node  the node of the whole formula
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT with the column of the first fault, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_parse(const char *text, int64_t length, int32_t nvars, const char *const *vars,
                                  int32_t *node, arr_expr *out);

/** How many inputs of a parsed expression have names.
 *  @param e  the expression
 *  @param[out] count  the number; 0 when it was not parsed
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_nvars(arr_expr e, int32_t *count);

/** The name of an input of a parsed expression.
 *  @param e  the expression
 *  @param[in,index] index  which input, from 0
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the name, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole name without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_var(arr_expr e, int32_t index, int64_t capacity, char *text, int64_t *length);

/** Computes a node for arrays, which broadcast, in one pass over memory.
 *  @param e  the expression
 *  @param node  what to compute
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays of one device
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_run(arr_expr e, int32_t node, int32_t nin, const arr_array *in, arr_stream stream,
                                arr_array *out);

/** Computes a node into an existing array.
 *  @param[in,written] dst  the array or view, written; may be one of the inputs or overlap them
 *  @param e  the expression
 *  @param node  what to compute
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays of one device
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_run_into(arr_array dst, arr_expr e, int32_t node, int32_t nin,
                                     const arr_array *in, arr_stream stream);

/** Computes several nodes for arrays in one pass over memory; what they share is computed once.
 *  @param e  the expression
 *  @param nnodes  number of nodes, 1 to 4
 *  @param[in,len=nnodes] nodes  what to compute
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays of one device
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,len=nnodes] out  new references, all of the shape that the inputs broadcast to
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_run_many(arr_expr e, int32_t nnodes, const int32_t *nodes, int32_t nin,
                                     const arr_array *in, arr_stream stream, arr_array *out);

/** Reduces a node over axes of the shape that the inputs broadcast to, in one pass: nothing of that shape is
 *  stored. Types are those of the reduction of an array of the node's type.
 *  @param e  the expression
 *  @param node  what to reduce
 *  @param reduction  ARR_REDUCTION_SUM and so on
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays of one device
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_reduce(arr_expr e, int32_t node, int32_t reduction, int32_t naxes,
                                   const int32_t *axes, int32_t keepdims, int32_t nin, const arr_array *in,
                                   arr_stream stream, arr_array *out);

/** arr_expr_reduce into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written
 *  @param e  the expression
 *  @param node  what to reduce
 *  @param reduction  ARR_REDUCTION_SUM and so on
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays of one device
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *  ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_reduce_into(arr_array dst, arr_expr e, int32_t node, int32_t reduction,
                                        int32_t naxes, const int32_t *axes, int32_t keepdims, int32_t nin,
                                        const arr_array *in, arr_stream stream);

/** Scans a node along an axis of the shape that the inputs broadcast to, in one pass: out[i] combines what the
 *  node returns for 0 .. i. Types are those of the reduction of an array of the node's type.
 *  @param e  the expression
 *  @param node  what to scan
 *  @param reduction  ARR_REDUCTION_SUM, _PROD, _MIN, _MAX, _ANY or _ALL
 *  @param axis  the axis; negative values count from the end
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays of one device
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_scan(arr_expr e, int32_t node, int32_t reduction, int32_t axis, int32_t nin,
                                 const arr_array *in, arr_stream stream, arr_array *out);

/** The program that would run, as text: its formula with casts and constants, what is used twice on a line of
 *  its own; the inputs' and the output's types; operations, casts and bytes of memory per element.
 *  @param e  the expression
 *  @param node  a node
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_describe(arr_expr e, int32_t node, int32_t nin, const arr_array *in,
                                     int64_t capacity, char *text, int64_t *length);

/** The source text that a device's compiler would get for a node and these arrays, the functions it uses in
 *  front. Needs no device and no driver, only the backend's module; the host runs programs by loops that are
 *  compiled in and has no such text. The arrays may be anywhere: shapes, strides and alignment decide.
 *  @param e  the expression
 *  @param node  a node
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays
 *  @param device_type  ARR_CUDA
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE,
 *  ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_source(arr_expr e, int32_t node, int32_t nin, const arr_array *in,
                                   int32_t device_type, int64_t capacity, char *text, int64_t *length);

/** Limits of expressions, and what this process has made for them. */
typedef struct arr_expr_stats {
  int64_t struct_size; /* sizeof(arr_expr_stats), set by the caller */
  int64_t max_inputs;  /* most inputs of a program: arrays, index values and different constants */
  int64_t max_outputs; /* most nodes of arr_expr_run_many */
  int64_t max_nodes;   /* most nodes of an expression, and most values of a program */
  int64_t max_text;    /* most bytes of a formula for arr_expr_parse */
  int64_t max_depth;   /* most levels that a formula may be nested */
  int64_t programs;    /* different programs so far; equal ones are one */
  int64_t kernels;     /* CUDA kernels so far, a few per program by layout; 0 where there is no GPU */
} arr_expr_stats;

/** Fills in the limits and statistics of expressions.
 *  @param[in,out] stats  struct_size is read, the rest written
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_info(arr_expr_stats *stats);

/** Releases an expression. NULL is fine.
 *  @param[in,null] e  the expression
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1 */
ARR_API arr_status arr_expr_release(arr_expr e);

#ifdef __cplusplus
}
#endif
#endif
