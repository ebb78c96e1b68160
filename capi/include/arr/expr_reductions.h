/* SPDX-License-Identifier: MIT */
/* expr_reductions.h - reductions and scans of expressions, and the text of their kernels. */
#ifndef ARR_EXPR_REDUCTIONS_H
#define ARR_EXPR_REDUCTIONS_H
#include "arr/expr.h"
#include "arr/reduce_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------- reductions */

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

/** arr_expr_reduce with the options of arr_reduce, in one pass as well: what does not count becomes what changes
 *  nothing. mean, var and std with `where` take a pass each for the number of elements, their sum and, but for the
 *  mean, their squares; nothing of the inputs' shape is stored by any.
 *  @param e  the expression
 *  @param node  what to reduce
 *  @param reduction  ARR_REDUCTION_SUM and so on
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] options  as for arr_reduce, where broadcasts to the shape of the inputs; NULL for the defaults
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays of one device
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_reduce_with(arr_expr e, int32_t node, int32_t reduction, int32_t naxes,
                                        const int32_t *axes, int32_t keepdims,
                                        const arr_reduce_options *options, int32_t nin, const arr_array *in,
                                        arr_stream stream, arr_array *out);

/** arr_expr_reduce_with into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written
 *  @param e  the expression
 *  @param node  what to reduce
 *  @param reduction  ARR_REDUCTION_SUM and so on
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] options  as for arr_reduce, where broadcasts to the shape of the inputs; NULL for the defaults
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays of one device
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *  ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_reduce_with_into(arr_array dst, arr_expr e, int32_t node, int32_t reduction,
                                             int32_t naxes, const int32_t *axes, int32_t keepdims,
                                             const arr_reduce_options *options, int32_t nin,
                                             const arr_array *in, arr_stream stream);

/** The reduction that would run, as text: the formula with what combines its values, as arr_expr_describe has it; the
 *  type that is accumulated; operations and bytes of memory per element and per result. Of mean, var and std with
 *  `where` the pass for the sum.
 *  @param e  the expression
 *  @param node  what to reduce
 *  @param reduction  ARR_REDUCTION_SUM and so on
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] options  as for arr_reduce, where broadcasts to the shape of the inputs; NULL for the defaults
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays of one device
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_describe_reduce(arr_expr e, int32_t node, int32_t reduction, int32_t naxes,
                                            const int32_t *axes, int32_t keepdims,
                                            const arr_reduce_options *options, int32_t nin,
                                            const arr_array *in, int64_t capacity, char *text,
                                            int64_t *length);

/** The source text that a device's compiler would get for a reduction of a node; see arr_expr_source. Of mean, var and
 *  std with `where` the pass for the sum.
 *  @param e  the expression
 *  @param node  what to reduce
 *  @param reduction  ARR_REDUCTION_SUM and so on
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] options  as for arr_reduce, where broadcasts to the shape of the inputs; NULL for the defaults
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays of one device
 *  @param device_type  ARR_CUDA
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE,
 *  ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_source_reduce(arr_expr e, int32_t node, int32_t reduction, int32_t naxes,
                                          const int32_t *axes, int32_t keepdims,
                                          const arr_reduce_options *options, int32_t nin, const arr_array *in,
                                          int32_t device_type, int64_t capacity, char *text, int64_t *length);

/* ------------------------------------------------------------------------------------------------------------ scans */

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

/** arr_expr_scan into an existing array of the shape that the inputs broadcast to; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap an input
 *  @param e  the expression
 *  @param node  what to scan
 *  @param reduction  ARR_REDUCTION_SUM, _PROD, _MIN, _MAX, _ANY or _ALL
 *  @param axis  the axis; negative values count from the end
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays of one device
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_scan_into(arr_array dst, arr_expr e, int32_t node, int32_t reduction,
                                      int32_t axis, int32_t nin, const arr_array *in, arr_stream stream);

/** The scan that would run, as text; see arr_expr_describe_reduce.
 *  @param e  the expression
 *  @param node  what to scan
 *  @param reduction  ARR_REDUCTION_SUM, _PROD, _MIN, _MAX, _ANY or _ALL
 *  @param axis  the axis; negative values count from the end
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_describe_scan(arr_expr e, int32_t node, int32_t reduction, int32_t axis,
                                          int32_t nin, const arr_array *in, int64_t capacity, char *text,
                                          int64_t *length);

/** The source text that a device's compiler would get for a scan of a node; see arr_expr_source. A long sequence takes
 *  kernels beside it.
 *  @param e  the expression
 *  @param node  what to scan
 *  @param reduction  ARR_REDUCTION_SUM, _PROD, _MIN, _MAX, _ANY or _ALL
 *  @param axis  the axis; negative values count from the end
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  arrays
 *  @param device_type  ARR_CUDA
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE,
 *  ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_expr_source_scan(arr_expr e, int32_t node, int32_t reduction, int32_t axis,
                                        int32_t nin, const arr_array *in, int32_t device_type,
                                        int64_t capacity, char *text, int64_t *length);

#ifdef __cplusplus
}
#endif
#endif
