/* SPDX-License-Identifier: MIT */
/* weighted.h - quantiles and percentiles of elements with weights. */
#ifndef ARR_WEIGHTED_H
#define ARR_WEIGHTED_H
#include "arr/statistics.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Quantiles of elements with weights; nan if there is one.
 *  The result has the elements' dtype. A weight counts as so many elements: the quantile q is the smallest element
 *  up to which the weights are at least q of their sum.
 *  @param a  real
 *  @param weights  real, none negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all, and the
 *      weights then have a's shape
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF: no other takes weights
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: an axis of nq, then the axes that are left
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also for weights that are negative, or whose sum is 0, infinite or
 *  nan), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync waits for the weights, which are checked   @threads any   @since 0.1 */
ARR_API arr_status arr_quantile_weighted(arr_array a, arr_array weights, int32_t nq, const double *q,
                                         int32_t naxes, const int32_t *axes, int32_t keepdims, int32_t method,
                                         arr_stream stream, arr_array *out);

/** arr_quantile_weighted into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a or the weights
 *  @param a  real
 *  @param weights  real, none negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all, and the
 *      weights then have a's shape
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF: no other takes weights
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also for weights that are negative, or whose sum is 0, infinite or
 *  nan), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the weights, which are checked   @threads any   @since 0.1 */
ARR_API arr_status arr_quantile_weighted_into(arr_array dst, arr_array a, arr_array weights, int32_t nq,
                                              const double *q, int32_t naxes, const int32_t *axes,
                                              int32_t keepdims, int32_t method, arr_stream stream);

/** Percentiles of elements with weights; nan if there is one.
 *  The result has the elements' dtype. A weight counts as so many elements: the quantile q is the smallest element
 *  up to which the weights are at least q of their sum.
 *  @param a  real
 *  @param weights  real, none negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all, and the
 *      weights then have a's shape
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF: no other takes weights
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: an axis of nq, then the axes that are left
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also for weights that are negative, or whose sum is 0, infinite or
 *  nan), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync waits for the weights, which are checked   @threads any   @since 0.1 */
ARR_API arr_status arr_percentile_weighted(arr_array a, arr_array weights, int32_t nq, const double *q,
                                           int32_t naxes, const int32_t *axes, int32_t keepdims,
                                           int32_t method, arr_stream stream, arr_array *out);

/** arr_percentile_weighted into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a or the weights
 *  @param a  real
 *  @param weights  real, none negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all, and the
 *      weights then have a's shape
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF: no other takes weights
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also for weights that are negative, or whose sum is 0, infinite or
 *  nan), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the weights, which are checked   @threads any   @since 0.1 */
ARR_API arr_status arr_percentile_weighted_into(arr_array dst, arr_array a, arr_array weights, int32_t nq,
                                                const double *q, int32_t naxes, const int32_t *axes,
                                                int32_t keepdims, int32_t method, arr_stream stream);

/** Quantiles with weights of the elements that are not nan; nan where all are. The weights of the others do not count.
 *  The result has the elements' dtype. A weight counts as so many elements: the quantile q is the smallest element
 *  up to which the weights are at least q of their sum.
 *  @param a  real
 *  @param weights  real, none negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all, and the
 *      weights then have a's shape
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF: no other takes weights
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: an axis of nq, then the axes that are left
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also for weights that are negative, or whose sum is 0, infinite or
 *  nan), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync waits for the weights, which are checked   @threads any   @since 0.1 */
ARR_API arr_status arr_nanquantile_weighted(arr_array a, arr_array weights, int32_t nq, const double *q,
                                            int32_t naxes, const int32_t *axes, int32_t keepdims,
                                            int32_t method, arr_stream stream, arr_array *out);

/** arr_nanquantile_weighted into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a or the weights
 *  @param a  real
 *  @param weights  real, none negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all, and the
 *      weights then have a's shape
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF: no other takes weights
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also for weights that are negative, or whose sum is 0, infinite or
 *  nan), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the weights, which are checked   @threads any   @since 0.1 */
ARR_API arr_status arr_nanquantile_weighted_into(arr_array dst, arr_array a, arr_array weights, int32_t nq,
                                                 const double *q, int32_t naxes, const int32_t *axes,
                                                 int32_t keepdims, int32_t method, arr_stream stream);

/** Percentiles with weights of the elements that are not nan; nan where all are. The weights of the others do not
 *  count. The result has the elements' dtype. A weight counts as so many elements: the quantile q is the smallest
 *  element up to which the weights are at least q of their sum.
 *  @param a  real
 *  @param weights  real, none negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all, and the
 *      weights then have a's shape
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF: no other takes weights
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: an axis of nq, then the axes that are left
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also for weights that are negative, or whose sum is 0, infinite or
 *  nan), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync waits for the weights, which are checked   @threads any   @since 0.1 */
ARR_API arr_status arr_nanpercentile_weighted(arr_array a, arr_array weights, int32_t nq, const double *q,
                                              int32_t naxes, const int32_t *axes, int32_t keepdims,
                                              int32_t method, arr_stream stream, arr_array *out);

/** arr_nanpercentile_weighted into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written; may be or overlap a or the weights
 *  @param a  real
 *  @param weights  real, none negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all, and the
 *      weights then have a's shape
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF: no other takes weights
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also for weights that are negative, or whose sum is 0, infinite or
 *  nan), ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the weights, which are checked   @threads any   @since 0.1 */
ARR_API arr_status arr_nanpercentile_weighted_into(arr_array dst, arr_array a, arr_array weights, int32_t nq,
                                                   const double *q, int32_t naxes, const int32_t *axes,
                                                   int32_t keepdims, int32_t method, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
