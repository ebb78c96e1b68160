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
 *  @param[out] nin  number of operands; may be NULL
 *  @param[out] nout  number of results; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_op_find(const char *name, int32_t *op, int32_t *nin, int32_t *nout);

/** Lists the ops of the library.
 *  @param index  0, 1, ... in the table's order
 *  @param[out] op  its number; may be NULL
 *  @param[out] name  static; may be NULL
 *  @param[out] nin  number of operands; may be NULL
 *  @param[out] dtypes  bit d is set when it is computed in dtype d; may be NULL
 *  @param[out] doc  one line, static; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT past the last
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_op_info(int32_t index, int32_t *op, const char **name, int32_t *nin, int64_t *dtypes,
                               const char **doc);

/** Options of arr_ufunc. Zero everything, then set struct_size. */
typedef struct arr_ufunc_options {
  int64_t struct_size; /* sizeof(arr_ufunc_options) */
  arr_dtype dtype;     /* of the result; 0: by promotion */
  int32_t casting;     /* ARR_CAST_... from the promoted result to dtype or destination */
  int32_t order;       /* ARR_ORDER_C, _F; 0 is C only when order_set is 1 */
  int32_t order_set;   /* 0: keep the operands' order (K) */
} arr_ufunc_options;

/** Runs any op of the table by number; operands are arrays or scalars, at least one an array.
 *  @param op  number from arr_op_find
 *  @param nin  number of operands
 *  @param in  [nin] arrays and scalars, weak or not
 *  @param options  NULL for the defaults
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @param nout  entries at out, 1
 *  @param[out] out  [nout] new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ufunc, cupy.ufunc(kwarg dtype), cupy.ufunc(kwarg casting) */
ARR_API arr_status arr_ufunc(int32_t op, int32_t nin, const arr_value *in, const arr_ufunc_options *options,
                             arr_stream stream, int32_t nout, arr_array *out);

/* --------------------------------------------------------------------------------- fused expressions */

/** Starts an empty expression.
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fuse */
ARR_API arr_status arr_expr_create(arr_expr *out);

/** The node of an input array.
 *  @param e  the expression
 *  @param index  which argument of arr_expr_run, from 0
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
 *  @param args  [nargs] nodes
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

/** Computes a node for arrays, which broadcast, in one pass over memory.
 *  @param e  the expression
 *  @param node  what to compute
 *  @param nin  number of inputs
 *  @param in  [nin] arrays of one device
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_run(arr_expr e, int32_t node, int32_t nin, const arr_array *in, arr_stream stream,
                                arr_array *out);

/** Computes a node into an existing array.
 *  @param dst  the array or view, written; may be one of the inputs or overlap them
 *  @param e  the expression
 *  @param node  what to compute
 *  @param nin  number of inputs
 *  @param in  [nin] arrays of one device
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_run_into(arr_array dst, arr_expr e, int32_t node, int32_t nin,
                                     const arr_array *in, arr_stream stream);

/** The program that would run, with its casts, as text.
 *  @param e  the expression
 *  @param node  a node
 *  @param nin  number of inputs
 *  @param in  [nin] arrays
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_describe(arr_expr e, int32_t node, int32_t nin, const arr_array *in,
                                     int64_t capacity, char *text, int64_t *length);

/** Releases an expression. NULL is fine.
 *  @param e  the expression
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1 */
ARR_API arr_status arr_expr_release(arr_expr e);

#ifdef __cplusplus
}
#endif
#endif
