/* SPDX-License-Identifier: MIT */
/* statistics.h - averages with weights, covariances, norms and softmax. */
#ifndef ARR_STATISTICS_H
#define ARR_STATISTICS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------------------------------- averages */

/** Computes the weighted average sum(a * weights) / sum(weights); integers give float64. Weights that sum to 0 give nan
 *  or an infinity.
 *  @param a  the array
 *  @param[in,null] weights  weights of a's shape, or with its extents along the axes, in their order; NULL selects the
 *      mean
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_average(arr_array a, arr_array weights, int32_t naxes, const int32_t *axes,
                               bool keepdims, arr_stream stream, arr_array *out);

/** Computes arr_average and its divisor.
 *  @param a  the array
 *  @param[in,null] weights  weights of a's shape, or with its extents along the axes, in their order; NULL selects the
 *      mean
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_average  one new reference
 *  @param[out] out_sum  one new reference, of the average's shape and type: sum(weights), or the number of elements
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_average_returned(arr_array a, arr_array weights, int32_t naxes, const int32_t *axes,
                                        bool keepdims, arr_stream stream, arr_array *out_average,
                                        arr_array *out_sum);

/* --------------------------------------------------------------------------------------- covariance and correlation */

/** Options of arr_cov and arr_corrcoef. Zero everything, then set struct_size. */
typedef struct arr_cov_options {
  int64_t struct_size; /* sizeof(arr_cov_options) */
  arr_array y;         /* more variables with the same observations; NULL: none */
  arr_array fweights;  /* a vector of integers: how many times each observation counts; NULL: once */
  arr_array aweights;  /* a vector of weights of the observations; NULL: none */
  int32_t columns;     /* 0: a variable is a row; 1: a column (NumPy's rowvar=False) */
  int32_t bias;        /* 1: the divisor is the number of observations; 0: that number less one */
  int32_t ddof;        /* subtracted from the number of observations instead, if ddof_set is 1 */
  int32_t ddof_set;    /* 0: bias determines the divisor */
  arr_dtype dtype;     /* type of the computation and of the result; 0 selects float64 or complex128 */
  int32_t reserved;    /* must be 0 */
} arr_cov_options;

/** Computes the covariances of variables: out[i, j] is that of variables i and j. With one variable the result has no
 *  dimensions.
 *  @param m  a matrix of observations, or a vector with one variable
 *  @param[in,null] options  the options; NULL selects the defaults; with weights the result is at least float64 or
 *      complex128
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync with weights, which are checked */
ARR_API arr_status arr_cov(arr_array m, const arr_cov_options *options, arr_stream stream, arr_array *out);

/** Writes the result of arr_cov into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap m
 *  @param m  a matrix of observations, or a vector with one variable
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync with weights, which are checked */
ARR_API arr_status arr_cov_into(arr_array dst, arr_array m, const arr_cov_options *options,
                                arr_stream stream);

/** Computes the correlation coefficients of variables: covariances over the standard deviations, within -1 and 1.
 *  @param x  a matrix of observations, or a vector with one variable
 *  @param[in,null] options  the options; NULL selects the defaults; weights are an error, and bias and ddof have no
 *      effect
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_corrcoef(arr_array x, const arr_cov_options *options, arr_stream stream,
                                arr_array *out);

/* ---------------------------------------------------------------------------------------------- norms, exponentials */

/** Computes the norm of the elements along axes as one vector: sum(|a|^p)^(1/p).
 *  @param a  the array; integers give float64, complex arrays a real result
 *  @param p  2 for the Euclidean norm; infinity and -infinity for the largest and smallest magnitude; 0 for the number
 *      of elements that are not 0
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_vector_norm(arr_array a, double p, int32_t naxes, const int32_t *axes, bool keepdims,
                                   arr_stream stream, arr_array *out);

/** Computes the logarithm of a weighted sum of exponentials, log(sum(b * exp(a))), without overflow; -inf for no
 *  elements.
 *  @param a  real; floats (float16 and bfloat16 are computed in float32), integers give float64
 *  @param b  factors of the exponentials: real, of any sign, of a shape that broadcasts to that of a. Where b is 0, an
 *      infinity or nan of a is ignored
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to sum over; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; nan where the sum is negative
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_logsumexp_weighted(arr_array a, arr_array b, int32_t naxes, const int32_t *axes,
                                          bool keepdims, arr_stream stream, arr_array *out);

/** Computes the logarithm and the sign of a weighted sum of exponentials: log(|sum(b * exp(a))|), and the sign of the
 *  sum.
 *  @param a  real; floats (float16 and bfloat16 are computed in float32), integers give float64
 *  @param b  factors of the exponentials: real, of any sign, of a shape that broadcasts to that of a. Where b is 0, an
 *      infinity or nan of a is ignored
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to sum over; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, the logarithm
 *  @param[out] out_sign  one new reference, of the logarithm's shape and type: -1, 0, 1 or nan
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_logsumexp_signed(arr_array a, arr_array b, int32_t naxes, const int32_t *axes,
                                        bool keepdims, arr_stream stream, arr_array *out,
                                        arr_array *out_sign);

/** Computes exp(a) / sum(exp(a)) without overflow: one pass reduces, one pass writes.
 *  @param a  floats (float16 and bfloat16 are computed in float32); integers give float64
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to sum over; NULL selects all
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of a's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_softmax(arr_array a, int32_t naxes, const int32_t *axes, arr_stream stream,
                               arr_array *out);

/** Computes the logarithm of arr_softmax without the loss of digits in log(softmax).
 *  @param a  floats (float16 and bfloat16 are computed in float32); integers give float64
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to sum over; NULL selects all
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of a's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_log_softmax(arr_array a, int32_t naxes, const int32_t *axes, arr_stream stream,
                                   arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
