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

/** Reduces a node over axes of the shape that the inputs broadcast to, in one pass and without a temporary of that
 *  shape. The types are those of a reduction of an array of the node's type.
 *  @param e  the expression
 *  @param node  the node to reduce
 *  @param reduction  ARR_REDUCTION_SUM and so on
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the arrays, all on one device
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_expr_reduce(arr_expr e, int32_t node, int32_t reduction, int32_t naxes,
                                   const int32_t *axes, bool keepdims, int32_t nin, const arr_array *in,
                                   arr_stream stream, arr_array *out);

/** Writes the result of arr_expr_reduce into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination
 *  @param e  the expression
 *  @param node  the node to reduce
 *  @param reduction  ARR_REDUCTION_SUM and so on
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the arrays, all on one device
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_expr_reduce_into(arr_array dst, arr_expr e, int32_t node, int32_t reduction,
                                        int32_t naxes, const int32_t *axes, bool keepdims, int32_t nin,
                                        const arr_array *in, arr_stream stream);

/** Reduces a node like arr_expr_reduce, with the options of arr_reduce, also in one pass: the identity replaces the
 *  elements for which the mask is false. mean, var and std with `where` take a pass each for the number of elements,
 *  for their sum and, except for the mean, for their squares. No pass needs a temporary of the inputs' shape.
 *  @param e  the expression
 *  @param node  the node to reduce
 *  @param reduction  ARR_REDUCTION_SUM and so on
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] options  options of arr_reduce; options->where broadcasts to the shape of the inputs; NULL selects
 *      the defaults
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the arrays, all on one device
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_expr_reduce_with(arr_expr e, int32_t node, int32_t reduction, int32_t naxes,
                                        const int32_t *axes, bool keepdims, const arr_reduce_options *options,
                                        int32_t nin, const arr_array *in, arr_stream stream, arr_array *out);

/** Writes the result of arr_expr_reduce_with into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination
 *  @param e  the expression
 *  @param node  the node to reduce
 *  @param reduction  ARR_REDUCTION_SUM and so on
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] options  options of arr_reduce; options->where broadcasts to the shape of the inputs; NULL selects
 *      the defaults
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the arrays, all on one device
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_expr_reduce_with_into(arr_array dst, arr_expr e, int32_t node, int32_t reduction,
                                             int32_t naxes, const int32_t *axes, bool keepdims,
                                             const arr_reduce_options *options, int32_t nin,
                                             const arr_array *in, arr_stream stream);

/** Describes the reduction that would run, as text. The text has the formula with the combining operation, in the
 *  form of arr_expr_describe; the dtype of the accumulator; the numbers of operations and bytes of memory per
 *  element and per result. For mean, var and std with `where` it describes the pass for the sum.
 *  @param e  the expression
 *  @param node  the node to reduce
 *  @param reduction  ARR_REDUCTION_SUM and so on
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] options  options of arr_reduce; options->where broadcasts to the shape of the inputs; NULL selects
 *      the defaults
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the arrays, all on one device
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_expr_describe_reduce(arr_expr e, int32_t node, int32_t reduction, int32_t naxes,
                                            const int32_t *axes, bool keepdims,
                                            const arr_reduce_options *options, int32_t nin,
                                            const arr_array *in, int64_t capacity, char *text,
                                            int64_t *length);

/** Writes the source text that a device's compiler would get for a reduction of a node; see arr_expr_source. For mean,
 *  var and std with `where` it is the text of the pass for the sum.
 *  @param e  the expression
 *  @param node  the node to reduce
 *  @param reduction  ARR_REDUCTION_SUM and so on
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] options  options of arr_reduce; options->where broadcasts to the shape of the inputs; NULL selects
 *      the defaults
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the arrays, all on one device
 *  @param device_type  ARR_CUDA
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE,
 *      ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_expr_source_reduce(arr_expr e, int32_t node, int32_t reduction, int32_t naxes,
                                          const int32_t *axes, bool keepdims,
                                          const arr_reduce_options *options, int32_t nin, const arr_array *in,
                                          int32_t device_type, int64_t capacity, char *text, int64_t *length);

/* ------------------------------------------------------------------------------------------------------------ scans */

/** Scans a node along an axis of the shape that the inputs broadcast to, in one pass: out[i] combines the node's
 *  values up to index i. The types are those of a reduction of an array of the node's type.
 *  @param e  the expression
 *  @param node  the node to scan
 *  @param reduction  ARR_REDUCTION_SUM, _PROD, _MIN, _MAX, _ANY or _ALL
 *  @param axis  the axis
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the arrays, all on one device
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_expr_scan(arr_expr e, int32_t node, int32_t reduction, int32_t axis, int32_t nin,
                                 const arr_array *in, arr_stream stream, arr_array *out);

/** Writes the result of arr_expr_scan into an existing array of the shape that the inputs broadcast to; cast by the
 *  same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap an input
 *  @param e  the expression
 *  @param node  the node to scan
 *  @param reduction  ARR_REDUCTION_SUM, _PROD, _MIN, _MAX, _ANY or _ALL
 *  @param axis  the axis
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the arrays, all on one device
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_expr_scan_into(arr_array dst, arr_expr e, int32_t node, int32_t reduction,
                                      int32_t axis, int32_t nin, const arr_array *in, arr_stream stream);

/** Describes the scan that would run, as text; see arr_expr_describe_reduce.
 *  @param e  the expression
 *  @param node  the node to scan
 *  @param reduction  ARR_REDUCTION_SUM, _PROD, _MIN, _MAX, _ANY or _ALL
 *  @param axis  the axis
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the arrays
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_expr_describe_scan(arr_expr e, int32_t node, int32_t reduction, int32_t axis,
                                          int32_t nin, const arr_array *in, int64_t capacity, char *text,
                                          int64_t *length);

/** Writes the source text that a device's compiler would get for a scan of a node; see arr_expr_source. A long sequence
 *  needs further kernels, which are not in the text.
 *  @param e  the expression
 *  @param node  the node to scan
 *  @param reduction  ARR_REDUCTION_SUM, _PROD, _MIN, _MAX, _ANY or _ALL
 *  @param axis  the axis
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the arrays
 *  @param device_type  ARR_CUDA
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE,
 *      ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_expr_source_scan(arr_expr e, int32_t node, int32_t reduction, int32_t axis,
                                        int32_t nin, const arr_array *in, int32_t device_type,
                                        int64_t capacity, char *text, int64_t *length);

#ifdef __cplusplus
}
#endif
#endif
