/* SPDX-License-Identifier: MIT */
/* quantiles.h - medians, quantiles and percentiles, also of weighted elements. */
#ifndef ARR_QUANTILES_H
#define ARR_QUANTILES_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Methods of estimating a quantile that falls between two elements; they are NumPy's. */
#define ARR_QUANTILE_LINEAR 0                /* interpolated between them, over the whole range 0 .. n - 1 */
#define ARR_QUANTILE_LOWER 1                 /* the lower element */
#define ARR_QUANTILE_HIGHER 2                /* the higher element */
#define ARR_QUANTILE_MIDPOINT 3              /* their mean */
#define ARR_QUANTILE_NEAREST 4               /* the nearer element; of equally near ones that of even rank */
#define ARR_QUANTILE_INVERTED_CDF 5          /* method 1 of Hyndman and Fan */
#define ARR_QUANTILE_AVERAGED_INVERTED_CDF 6 /* method 2 */
#define ARR_QUANTILE_CLOSEST_OBSERVATION 7   /* method 3 */
#define ARR_QUANTILE_INTERPOLATED_INVERTED_CDF 8 /* method 4 */
#define ARR_QUANTILE_HAZEN 9                     /* method 5 */
#define ARR_QUANTILE_WEIBULL 10                  /* method 6 */
#define ARR_QUANTILE_MEDIAN_UNBIASED 11          /* method 8 */
#define ARR_QUANTILE_NORMAL_UNBIASED 12          /* method 9 */

/* ---------------------------------------------------------------------------------------------------------- medians */

/** Computes the median: the middle element, or the mean of the two middle elements; nan if an element is nan. Complex
 *  numbers are ordered by their real and then by their imaginary parts; one with a nan part counts as nan.
 *  @param a  the array; integers and bool give float64
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_median(arr_array a, int32_t naxes, const int32_t *axes, bool keepdims,
                              arr_stream stream, arr_array *out);

/** Writes the result of arr_median into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_median_into(arr_array dst, arr_array a, int32_t naxes, const int32_t *axes,
                                   bool keepdims, arr_stream stream);

/** Computes the median of the elements that are not nan; nan if all are nan. Complex numbers are treated as in
 *  arr_median.
 *  @param a  the array; integers and bool give float64
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_nanmedian(arr_array a, int32_t naxes, const int32_t *axes, bool keepdims,
                                 arr_stream stream, arr_array *out);

/** Writes the result of arr_nanmedian into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_nanmedian_into(arr_array dst, arr_array a, int32_t naxes, const int32_t *axes,
                                      bool keepdims, arr_stream stream);

/* -------------------------------------------------------------------------------------------------------- quantiles */

/** Computes quantiles; nan if an element is nan. Methods that pick an element keep its dtype. Other methods return
 *  float64; a single quantile (nq 0) of floats keeps their type, as NumPy does for a plain number. Quantiles of no
 *  elements are nan, like NumPy's median and mean (NumPy's quantile raises an error); they are ARR_E_SHAPE if the
 *  result's type has no nan.
 *  @param a  the array, real; bool only with methods that pick an element
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the quantiles, each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: an axis of nq, then the remaining axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_quantile(arr_array a, int32_t nq, const double *q, int32_t naxes, const int32_t *axes,
                                bool keepdims, int32_t method, arr_stream stream, arr_array *out);

/** Writes the result of arr_quantile into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a
 *  @param a  the array, real; bool only with methods that pick an element
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the quantiles, each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_quantile_into(arr_array dst, arr_array a, int32_t nq, const double *q, int32_t naxes,
                                     const int32_t *axes, bool keepdims, int32_t method, arr_stream stream);

/** Computes percentiles; nan if an element is nan. Methods that pick an element keep its dtype. Other methods return
 *  float64; a single percentile (nq 0) of floats keeps their type, as NumPy does for a plain number. Percentiles of no
 *  elements follow the rule of arr_quantile.
 *  @param a  the array, real; bool only with methods that pick an element
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the percentiles, each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: an axis of nq, then the remaining axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_percentile(arr_array a, int32_t nq, const double *q, int32_t naxes,
                                  const int32_t *axes, bool keepdims, int32_t method, arr_stream stream,
                                  arr_array *out);

/** Writes the result of arr_percentile into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a
 *  @param a  the array, real; bool only with methods that pick an element
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the percentiles, each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_percentile_into(arr_array dst, arr_array a, int32_t nq, const double *q, int32_t naxes,
                                       const int32_t *axes, bool keepdims, int32_t method, arr_stream stream);

/** Computes quantiles of the elements that are not nan; nan if all are nan. Methods that pick an element keep its
 *  dtype. Other methods return float64; a single quantile (nq 0) of floats keeps their type, as NumPy does for a plain
 *  number.
 *  @param a  the array, real; bool only with methods that pick an element
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the quantiles, each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: an axis of nq, then the remaining axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_nanquantile(arr_array a, int32_t nq, const double *q, int32_t naxes,
                                   const int32_t *axes, bool keepdims, int32_t method, arr_stream stream,
                                   arr_array *out);

/** Writes the result of arr_nanquantile into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a
 *  @param a  the array, real; bool only with methods that pick an element
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the quantiles, each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_nanquantile_into(arr_array dst, arr_array a, int32_t nq, const double *q,
                                        int32_t naxes, const int32_t *axes, bool keepdims, int32_t method,
                                        arr_stream stream);

/** Computes percentiles of the elements that are not nan; nan if all are nan. Methods that pick an element keep its
 *  dtype. Other methods return float64; a single percentile (nq 0) of floats keeps their type, as NumPy does for a
 *  plain number.
 *  @param a  the array, real; bool only with methods that pick an element
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the percentiles, each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: an axis of nq, then the remaining axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_nanpercentile(arr_array a, int32_t nq, const double *q, int32_t naxes,
                                     const int32_t *axes, bool keepdims, int32_t method, arr_stream stream,
                                     arr_array *out);

/** Writes the result of arr_nanpercentile into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a
 *  @param a  the array, real; bool only with methods that pick an element
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the percentiles, each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_nanpercentile_into(arr_array dst, arr_array a, int32_t nq, const double *q,
                                          int32_t naxes, const int32_t *axes, bool keepdims, int32_t method,
                                          arr_stream stream);

/* ----------------------------------------------------------------------------------------------------- with weights */

/** Computes quantiles of weighted elements; nan if an element is nan. The result has the elements' dtype. An element
 *  with weight w counts as w elements: the quantile q is the smallest element up to which the weights are at least q of
 *  their sum.
 *  @param a  the array, real
 *  @param weights  weights, real, not negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the quantiles, each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all, and the weights then have a's shape
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF, the only method that takes weights
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: an axis of nq, then the remaining axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also if a weight is negative or their sum is 0, infinite or nan),
 *      ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync waits for the weights, which are checked */
ARR_API arr_status arr_quantile_weighted(arr_array a, arr_array weights, int32_t nq, const double *q,
                                         int32_t naxes, const int32_t *axes, bool keepdims, int32_t method,
                                         arr_stream stream, arr_array *out);

/** Writes the result of arr_quantile_weighted into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a or the weights
 *  @param a  the array, real
 *  @param weights  weights, real, not negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the quantiles, each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all, and the weights then have a's shape
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF, the only method that takes weights
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also if a weight is negative or their sum is 0, infinite or nan),
 *      ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the weights, which are checked */
ARR_API arr_status arr_quantile_weighted_into(arr_array dst, arr_array a, arr_array weights, int32_t nq,
                                              const double *q, int32_t naxes, const int32_t *axes,
                                              bool keepdims, int32_t method, arr_stream stream);

/** Computes percentiles of weighted elements; nan if an element is nan. The result has the elements' dtype. An element
 *  with weight w counts as w elements: the quantile q is the smallest element up to which the weights are at least q of
 *  their sum.
 *  @param a  the array, real
 *  @param weights  weights, real, not negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the percentiles, each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all, and the weights then have a's shape
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF, the only method that takes weights
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: an axis of nq, then the remaining axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also if a weight is negative or their sum is 0, infinite or nan),
 *      ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync waits for the weights, which are checked */
ARR_API arr_status arr_percentile_weighted(arr_array a, arr_array weights, int32_t nq, const double *q,
                                           int32_t naxes, const int32_t *axes, bool keepdims, int32_t method,
                                           arr_stream stream, arr_array *out);

/** Writes the result of arr_percentile_weighted into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a or the weights
 *  @param a  the array, real
 *  @param weights  weights, real, not negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the percentiles, each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all, and the weights then have a's shape
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF, the only method that takes weights
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also if a weight is negative or their sum is 0, infinite or nan),
 *      ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the weights, which are checked */
ARR_API arr_status arr_percentile_weighted_into(arr_array dst, arr_array a, arr_array weights, int32_t nq,
                                                const double *q, int32_t naxes, const int32_t *axes,
                                                bool keepdims, int32_t method, arr_stream stream);

/** Computes quantiles of the weighted elements that are not nan; nan if all are nan. Weights of nan elements are
 *  ignored. The result has the elements' dtype. An element with weight w counts as w elements: the quantile q is the
 *  smallest element up to which the weights are at least q of their sum.
 *  @param a  the array, real
 *  @param weights  weights, real, not negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the quantiles, each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all, and the weights then have a's shape
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF, the only method that takes weights
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: an axis of nq, then the remaining axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also if a weight is negative or their sum is 0, infinite or nan),
 *      ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync waits for the weights, which are checked */
ARR_API arr_status arr_nanquantile_weighted(arr_array a, arr_array weights, int32_t nq, const double *q,
                                            int32_t naxes, const int32_t *axes, bool keepdims, int32_t method,
                                            arr_stream stream, arr_array *out);

/** Writes the result of arr_nanquantile_weighted into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a or the weights
 *  @param a  the array, real
 *  @param weights  weights, real, not negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the quantiles, each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all, and the weights then have a's shape
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF, the only method that takes weights
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also if a weight is negative or their sum is 0, infinite or nan),
 *      ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the weights, which are checked */
ARR_API arr_status arr_nanquantile_weighted_into(arr_array dst, arr_array a, arr_array weights, int32_t nq,
                                                 const double *q, int32_t naxes, const int32_t *axes,
                                                 bool keepdims, int32_t method, arr_stream stream);

/** Computes percentiles of the weighted elements that are not nan; nan if all are nan. Weights of nan elements are
 *  ignored. The result has the elements' dtype. An element with weight w counts as w elements: the quantile q is the
 *  smallest element up to which the weights are at least q of their sum.
 *  @param a  the array, real
 *  @param weights  weights, real, not negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the percentiles, each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all, and the weights then have a's shape
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF, the only method that takes weights
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: an axis of nq, then the remaining axes
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also if a weight is negative or their sum is 0, infinite or nan),
 *      ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync waits for the weights, which are checked */
ARR_API arr_status arr_nanpercentile_weighted(arr_array a, arr_array weights, int32_t nq, const double *q,
                                              int32_t naxes, const int32_t *axes, bool keepdims,
                                              int32_t method, arr_stream stream, arr_array *out);

/** Writes the result of arr_nanpercentile_weighted into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a or the weights
 *  @param a  the array, real
 *  @param weights  weights, real, not negative, of a's shape or with its extents along the axes, in their order
 *  @param nq  number of quantiles; 0 computes one, and the result has no axis for it
 *  @param[in,len=nq] q  the percentiles, each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all, and the weights then have a's shape
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_INVERTED_CDF, the only method that takes weights
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also if a weight is negative or their sum is 0, infinite or nan),
 *      ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for the weights, which are checked */
ARR_API arr_status arr_nanpercentile_weighted_into(arr_array dst, arr_array a, arr_array weights, int32_t nq,
                                                   const double *q, int32_t naxes, const int32_t *axes,
                                                   bool keepdims, int32_t method, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
