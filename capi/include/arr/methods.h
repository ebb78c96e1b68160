/* SPDX-License-Identifier: MIT */
/* methods.h - methods of operations, expressions, differences and statistics into existing arrays. */
#ifndef ARR_METHODS_H
#define ARR_METHODS_H
#include "arr/expr.h"
#include "arr/statistics.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* ------------------------------------------------------------------------------ pairs, expressions */

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

/* -------------------------------------------------- calculus, statistics: computed, then written to dst */

/** arr_diff into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a
 *  @param a  the array
 *  @param n  how many times, 0 or more
 *  @param axis  the axis; negative values count from the end
 *  @param[in,null] prepend  put in front of a first: of a's shape but for the axis, or without dimensions; NULL:
 *      nothing
 *  @param[in,null] append  put behind a first, likewise; NULL: nothing
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_diff_into(arr_array dst, arr_array a, int32_t n, int32_t axis, arr_array prepend,
                                 arr_array append, arr_stream stream);

/** arr_gradient into existing arrays of f's shape; cast by the same_kind rule.
 *  @param ndst  entries at dsts, naxes
 *  @param[in,len=ndst] dsts  written, in the order of the axes; may be or overlap f
 *  @param f  the array, along each axis of edge_order + 1 elements or more
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to differentiate along; negative values count from the end; NULL selects the
 *      first naxes, which then must be all
 *  @param[in,null,len=naxes] spacing  per axis a real number, weak or not, or a vector of coordinates; NULL: 1
 *      everywhere
 *  @param edge_order  1 or 2: order of the differences at the ends
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_gradient_into(int32_t ndst, const arr_array *dsts, arr_array f, int32_t naxes,
                                     const int32_t *axes, const arr_value *spacing, int32_t edge_order,
                                     arr_stream stream);

/** arr_trapezoid into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap y or x
 *  @param y  the values
 *  @param[in,null] x  coordinates: a vector as long as the axis, or of y's shape; NULL: evenly by dx
 *  @param dx  distance of neighbours where x is NULL
 *  @param axis  the axis; negative values count from the end
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_trapezoid_into(arr_array dst, arr_array y, arr_array x, double dx, int32_t axis,
                                      arr_stream stream);

/** arr_cov into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap m
 *  @param m  a matrix of observations, or a vector: one variable
 *  @param[in,null] options  NULL for the defaults
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync with weights, which are checked   @threads any   @since 0.1 */
ARR_API arr_status arr_cov_into(arr_array dst, arr_array m, const arr_cov_options *options,
                                arr_stream stream);

/** arr_median into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *  ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_median_into(arr_array dst, arr_array a, int32_t naxes, const int32_t *axes,
                                   int32_t keepdims, arr_stream stream);

/** arr_nanmedian into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *  ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_nanmedian_into(arr_array dst, arr_array a, int32_t naxes, const int32_t *axes,
                                      int32_t keepdims, arr_stream stream);

/** arr_quantile into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a
 *  @param a  real; bool only by methods that pick an element
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *  ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_quantile_into(arr_array dst, arr_array a, int32_t nq, const double *q, int32_t naxes,
                                     const int32_t *axes, int32_t keepdims, int32_t method,
                                     arr_stream stream);

/** arr_percentile into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a
 *  @param a  real; bool only by methods that pick an element
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *  ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_percentile_into(arr_array dst, arr_array a, int32_t nq, const double *q, int32_t naxes,
                                       const int32_t *axes, int32_t keepdims, int32_t method,
                                       arr_stream stream);

/** arr_nanquantile into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a
 *  @param a  real; bool only by methods that pick an element
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *  ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_nanquantile_into(arr_array dst, arr_array a, int32_t nq, const double *q,
                                        int32_t naxes, const int32_t *axes, int32_t keepdims, int32_t method,
                                        arr_stream stream);

/** arr_nanpercentile into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a
 *  @param a  real; bool only by methods that pick an element
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *  ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_nanpercentile_into(arr_array dst, arr_array a, int32_t nq, const double *q,
                                          int32_t naxes, const int32_t *axes, int32_t keepdims,
                                          int32_t method, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
