/* SPDX-License-Identifier: MIT */
/* expr.h - fused expressions: built once, run on arrays of any shapes, in one pass unless they are long. */
#ifndef ARR_EXPR_H
#define ARR_EXPR_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------------ nodes */

/** Creates an empty expression.
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_expr_create(arr_expr *out);

/** Adds a node that reads an input array.
 *  @param e  the expression
 *  @param[in,index] index  index of the array among the inputs of arr_expr_run, from 0
 *  @param[out] node  its node
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_expr_input(arr_expr e, int32_t index, int32_t *node);

/** Adds a node that is a constant.
 *  @param e  the expression
 *  @param value  a scalar, weak or not; not NULL
 *  @param[out] node  its node
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_expr_constant(arr_expr e, const arr_value *value, int32_t *node);

/** Adds a node that applies an op to other nodes.
 *  @param e  the expression
 *  @param op  number from arr_op_find
 *  @param nargs  number of operands of the op
 *  @param[in,len=nargs] args  nodes of the operands
 *  @param[out] node  its node
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_expr_op(arr_expr e, int32_t op, int32_t nargs, const int32_t *args, int32_t *node);

/** Adds a node that casts another node.
 *  @param e  the expression
 *  @param arg  a node
 *  @param dtype  the dtype
 *  @param[out] node  its node
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE
 *  @sync no */
ARR_API arr_status arr_expr_cast(arr_expr e, int32_t arg, arr_dtype dtype, int32_t *node);

/** Adds a node that is the index of each element along an axis of the shape that the inputs broadcast to, as int64.
 *  The library keeps a vector of the numbers 0, 1, ... per device, and a program reads the index from it as one more
 *  input.
 *  @param e  the expression
 *  @param axis  the axis
 *  @param[out] node  its node
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_expr_index(arr_expr e, int32_t axis, int32_t *node);

/** Adds a node that reads elements of an input array at computed indices: with nodes i and j, in[k][i, j]. An array
 *  used only for gathering does not take part in broadcasting, except for its axes that have no index node. A
 *  negative index counts from the end. Indices are checked when they are used.
 *  @param e  the expression
 *  @param[in,index] index  index of the array among the inputs of arr_expr_run, from 0
 *  @param nindices  number of dimensions of that array
 *  @param[in,len=nindices] indices  nodes of integers, one per axis; -1 selects the whole axis, which broadcasts like
 *      an axis of an input. A group of adjacent axes with nodes broadcasts as one axis of extent 1, or as no axis if
 *      it comes first
 *  @param bounds  ARR_BOUNDS_...: how indices out of range are handled
 *  @param[out] node  its node
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no; with ARR_BOUNDS_RAISE an index out of range fails the run on a host that works at once
 *      (ARR_E_ARGUMENT), and on another device the next call that waits for the stream */
ARR_API arr_status arr_expr_gather(arr_expr e, int32_t index, int32_t nindices, const int32_t *indices,
                                   int32_t bounds, int32_t *node);

/* --------------------------------------------------------------------------------------------------------- formulas */

/** Parses a formula such as "sqrt(a*a + b*b)" into a new expression. It has Python's operators and precedences: + -
 *  * / // % ** << >> & | ^ ~ < <= > >= == != and or not (element by element; comparisons do not chain). It also has
 *  parentheses, operations by NumPy's names as in where(c, a, b), casts as in float32(a), index(axis), the constants
 *  pi, e, inf, nan, True and False, and numbers. Numbers are plain as in Python (1j is imaginary); operations
 *  between them are computed in advance. Other names are variables, and so is e if vars contains it. The expression
 *  runs with as many inputs as it has variables; without variables it takes one input, which sets the shape. A
 *  larger number of inputs is ARR_E_ARGUMENT.
 *  @param[in,bytes=length] text  the formula, at most 65536 bytes
 *  @param length  number of bytes of text; -1 if it is NUL-terminated
 *  @param nvars  number of variable names at vars; 0: the variables are the inputs in the order of their first use
 *  @param[in,null,len=nvars] vars  names of the inputs 0, 1, ..., all different, of letters, digits and "_"; may be
 *      NULL when there are none
 *  @param[out] node  the node of the whole formula
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT with the column of the first error, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_expr_parse(const char *text, int64_t length, int32_t nvars, const char *const *vars,
                                  int32_t *node, arr_expr *out);

/** Returns the number of named inputs of a parsed expression.
 *  @param e  the expression
 *  @param[out] count  the number; 0 if the expression was not parsed
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_expr_nvars(arr_expr e, int32_t *count);

/** Returns the name of an input of a parsed expression.
 *  @param e  the expression
 *  @param[in,index] index  index of the input, from 0
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the name, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole name without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_expr_var(arr_expr e, int32_t index, int64_t capacity, char *text, int64_t *length);

/* ------------------------------------------------------------------------------------------------------------- runs */

/** Computes a node for arrays in one pass over memory. The arrays broadcast. A node of more than about 16 inputs and
 *  constants, or 256 operations, takes several passes, with temporary arrays between them and the same result.
 *  @param e  the expression
 *  @param node  the node to compute
 *  @param nin  number of inputs, at most 1024
 *  @param[in,len=nin] in  the arrays, all on one device
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_expr_run(arr_expr e, int32_t node, int32_t nin, const arr_array *in, arr_stream stream,
                                arr_array *out);

/** Computes a node into an existing array.
 *  @param[in,written] dst  the destination, an array or a view; may be or overlap an input
 *  @param e  the expression
 *  @param node  the node to compute
 *  @param nin  number of inputs, at most 1024
 *  @param[in,len=nin] in  the arrays, all on one device
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_expr_run_into(arr_array dst, arr_expr e, int32_t node, int32_t nin,
                                     const arr_array *in, arr_stream stream);

/** Computes several nodes for arrays, up to four in one pass over memory. Parts that these share are computed once.
 *  @param e  the expression
 *  @param nnodes  number of nodes, 1 to 1024
 *  @param[in,len=nnodes] nodes  the node to compute
 *  @param nin  number of inputs, at most 1024
 *  @param[in,len=nin] in  the arrays, all on one device
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,len=nnodes] out  new references to arrays of the shape that the inputs broadcast to
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_expr_run_many(arr_expr e, int32_t nnodes, const int32_t *nodes, int32_t nin,
                                     const arr_array *in, arr_stream stream, arr_array *out);

/** Writes the results of arr_expr_run_many into existing arrays of the shape that the inputs broadcast to; cast by
 *  the same_kind rule. No temporary is needed if each array has the type of its node and shares no memory with an
 *  input or with another destination.
 *  @param nnodes  number of nodes, 1 to 1024
 *  @param[in,len=nnodes] dsts  the destinations, in the order of the nodes; may be or overlap the inputs
 *  @param e  the expression
 *  @param[in,len=nnodes] nodes  the node to compute
 *  @param nin  number of inputs, at most 1024
 *  @param[in,len=nin] in  the arrays, all on one device
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_expr_run_many_into(int32_t nnodes, const arr_array *dsts, arr_expr e,
                                          const int32_t *nodes, int32_t nin, const arr_array *in,
                                          arr_stream stream);

/** Computes nodes for arrays and numbers. A number is a constant of the program, as arr_expr_constant adds it; the
 *  programs for the last 16 lists of numbers are kept.
 *  @param e  the expression
 *  @param nnodes  number of nodes, 1 to 1024
 *  @param[in,len=nnodes] nodes  the nodes to compute
 *  @param nin  number of inputs, at most 1024
 *  @param[in,len=nin] in  the inputs: arrays, all on one device, and numbers, weak or not; at least one array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,len=nnodes] out  new references to arrays of the shape that the inputs broadcast to
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_expr_call(arr_expr e, int32_t nnodes, const int32_t *nodes, int32_t nin,
                                 const arr_value *in, arr_stream stream, arr_array *out);

/** Writes the results of arr_expr_call into existing arrays, cast by the same_kind rule.
 *  @param nnodes  number of nodes, 1 to 1024
 *  @param[in,len=nnodes] dsts  the destinations, in the order of the nodes; may be or overlap the inputs
 *  @param e  the expression
 *  @param[in,len=nnodes] nodes  the nodes to compute
 *  @param nin  number of inputs, at most 1024
 *  @param[in,len=nin] in  the inputs: arrays, all on one device, and numbers, weak or not; at least one array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_expr_call_into(int32_t nnodes, const arr_array *dsts, arr_expr e, const int32_t *nodes,
                                      int32_t nin, const arr_value *in, arr_stream stream);

/** Evaluates a formula (see arr_expr_parse) for arrays and numbers, which are its variables in the order of their first
 *  use. The text is parsed once while it is among the last 1024 texts of the process.
 *  @param[in,bytes=length] text  the formula, at most 65536 bytes
 *  @param length  number of bytes of text; -1 if it is NUL-terminated
 *  @param nin  number of inputs, at most 1024
 *  @param[in,len=nin] in  the inputs: arrays, all on one device, and numbers, weak or not; at least one array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_evaluate(const char *text, int64_t length, int32_t nin, const arr_value *in,
                                arr_stream stream, arr_array *out);

/** Writes the result of arr_evaluate into an existing array.
 *  @param[in,written] dst  the destination, an array or a view; may be or overlap an input
 *  @param[in,bytes=length] text  the formula, at most 65536 bytes
 *  @param length  number of bytes of text; -1 if it is NUL-terminated
 *  @param nin  number of inputs, at most 1024
 *  @param[in,len=nin] in  the inputs: arrays, all on one device, and numbers, weak or not; at least one array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_evaluate_into(arr_array dst, const char *text, int64_t length, int32_t nin,
                                     const arr_value *in, arr_stream stream);

/* ------------------------------------------------------------------------------------------------ texts, statistics */

/** Describes the program that would run, as text. The text has its formula with casts and constants, where a value
 *  that is used twice is written on a separate line; the dtypes of the inputs and of the output; the numbers of
 *  operations, casts and bytes of memory per element.
 *  @param e  the expression
 *  @param node  a node
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the arrays
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_expr_describe(arr_expr e, int32_t node, int32_t nin, const arr_array *in,
                                     int64_t capacity, char *text, int64_t *length);

/** Writes the source text that a device's compiler would get for a node and these arrays, after the functions that it
 *  uses. The call needs the backend's module but neither a device nor a driver. The host has no such text, because it
 *  runs programs by compiled loops. The arrays may be on any device: only shapes, strides and alignment matter.
 *  @param e  the expression
 *  @param node  a node
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the arrays
 *  @param device_type  ARR_CUDA
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE,
 *      ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_expr_source(arr_expr e, int32_t node, int32_t nin, const arr_array *in,
                                   int32_t device_type, int64_t capacity, char *text, int64_t *length);

/** Limits of expressions, and counts of what this process has made for them. */
typedef struct arr_expr_stats {
  int64_t struct_size; /* sizeof(arr_expr_stats); set by the caller */
  int64_t max_inputs;  /* largest number of input arrays of an expression */
  int64_t max_outputs; /* largest number of nodes of arr_expr_run_many */
  int64_t max_nodes;   /* largest number of nodes of an expression */
  int64_t max_text;    /* largest number of bytes of a formula for arr_expr_parse */
  int64_t max_depth;   /* largest depth of nesting in a formula */
  int64_t programs;    /* number of different programs so far; equal programs count once */
  int64_t kernels;     /* number of CUDA kernels so far, a few per program by layout; 0 without a GPU */
} arr_expr_stats;

/** Returns the limits and statistics of expressions.
 *  @param[in,out] stats  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_expr_info(arr_expr_stats *stats);

/** Releases an expression. NULL is allowed.
 *  @param[in,null] e  the expression
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_expr_release(arr_expr e);

#ifdef __cplusplus
}
#endif
#endif
