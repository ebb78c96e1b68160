/* SPDX-License-Identifier: MIT */
/* expr.h - fused expressions: build once, run on any shapes in one pass. */
#ifndef ARR_EXPR_H
#define ARR_EXPR_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------------ nodes */

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

/* --------------------------------------------------------------------------------------------------------- formulas */

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

/* ------------------------------------------------------------------------------------------------------------- runs */

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

/** arr_expr_run_many into existing arrays of the shape that the inputs broadcast to; cast by the same_kind rule.
 *  Nothing is stored in between where each has its node's type and shares no memory with an input or another.
 *  @param nnodes  number of nodes, 1 to 4
 *  @param[in,len=nnodes] dsts  written, in this order; may be or overlap the inputs
 *  @param e  the expression
 *  @param[in,len=nnodes] nodes  what to compute
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays of one device
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_run_many_into(int32_t nnodes, const arr_array *dsts, arr_expr e,
                                          const int32_t *nodes, int32_t nin, const arr_array *in,
                                          arr_stream stream);

/* ------------------------------------------------------------------------------------------------ texts, statistics */

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
