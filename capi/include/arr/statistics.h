/* SPDX-License-Identifier: MIT */
/* statistics.h - reductions by number with options, averages with weights, norms and softmax. */
#ifndef ARR_STATISTICS_H
#define ARR_STATISTICS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------- reductions by number */

/** Finds a reduction.
 *  @param name  "sum" and so on, NUL-terminated
 *  @param[out] reduction  its number
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_reduction_find(const char *name, int32_t *reduction);

/** Lists the reductions of the library.
 *  @param[in,index] index  0, 1, ... in the table's order
 *  @param[out,null] reduction  its number; may be NULL
 *  @param[out,null] name  static; may be NULL
 *  @param[out,null] dtypes  bit d is set when it takes arrays of dtype d; may be NULL
 *  @param[out,null] doc  one line, static; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT past the last
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_reduction_info(int32_t index, int32_t *reduction, const char **name, int64_t *dtypes,
                                      const char **doc);

/** Options of arr_reduce. Zero everything, then set struct_size. */
typedef struct arr_reduce_options {
  int64_t struct_size; /* sizeof(arr_reduce_options) */
  arr_dtype
      dtype; /* elements are cast to it first, whatever they are, and it is the result's (means and variances
                       of an integer dtype are computed in float64); 0: by the reduction's rules */
  int32_t reserved; /* 0 */
  const arr_value
      *initial;      /* a scalar combined with the elements; NULL: none. min and max of nothing need it */
  arr_array where;   /* bool, broadcasts to the array: only elements where it is true count; NULL: all */
  double correction; /* of var, std, nanvar, nanstd: what is taken off the number of elements */
} arr_reduce_options;

/** Any reduction of the table by number, with options. mean, var and std with `where` take two passes.
 *  @param reduction  ARR_REDUCTION_... or a number from arr_reduction_find
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] options  NULL for the defaults
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_reduce(int32_t reduction, arr_array a, int32_t naxes, const int32_t *axes,
                              int32_t keepdims, const arr_reduce_options *options, arr_stream stream,
                              arr_array *out);

/** arr_reduce into an existing array of the result's shape; cast by the same_kind rule.
 *  @param[in,written] dst  written
 *  @param reduction  ARR_REDUCTION_... or a number from arr_reduction_find
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] options  NULL for the defaults
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_reduce_into(arr_array dst, int32_t reduction, arr_array a, int32_t naxes,
                                   const int32_t *axes, int32_t keepdims, const arr_reduce_options *options,
                                   arr_stream stream);

/** The `reduce` of an element-wise op: add, multiply, minimum, maximum, fmin, fmax, logical_and, logical_or,
 *  logical_xor, bitwise_and, bitwise_or, bitwise_xor, logaddexp, logaddexp2, hypot, gcd, lcm. Other ops of two operands
 *  whose result has their type (subtract, divide, power, left_shift and the like) go from left to right along one axis
 *  (all axes of a vector) and have no identity; each step's result is rounded to the type. On a GPU a thread goes along
 *  each sequence.
 *  @param op  number from arr_op_find
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all (NumPy's
 *      default is axis 0)
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] options  NULL for the defaults
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ufunc.reduce */
ARR_API arr_status arr_ufunc_reduce(int32_t op, arr_array a, int32_t naxes, const int32_t *axes,
                                    int32_t keepdims, const arr_reduce_options *options, arr_stream stream,
                                    arr_array *out);

/* --------------------------------------------------------------------------------------- averages */

/** Weighted average sum(a * weights) / sum(weights); integers give float64. Weights that sum to 0 give nan or an
 *  infinity.
 *  @param a  the array
 *  @param[in,null] weights  of a's shape, or with its extents along the axes, in their order; NULL: the mean
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.average */
ARR_API arr_status arr_average(arr_array a, arr_array weights, int32_t naxes, const int32_t *axes,
                               int32_t keepdims, arr_stream stream, arr_array *out);

/** arr_average, and what it was divided by.
 *  @param a  the array
 *  @param[in,null] weights  of a's shape, or with its extents along the axes, in their order; NULL: the mean
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_average  one new reference
 *  @param[out] out_sum  one new reference, of its shape and type: sum(weights), or how many elements there were
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_average_returned(arr_array a, arr_array weights, int32_t naxes, const int32_t *axes,
                                        int32_t keepdims, arr_stream stream, arr_array *out_average,
                                        arr_array *out_sum);

/* --------------------------------------------------------------------- covariance and correlation */

/** Options of arr_cov and arr_corrcoef. Zero everything, then set struct_size. */
typedef struct arr_cov_options {
  int64_t struct_size; /* sizeof(arr_cov_options) */
  arr_array y;         /* more variables with the same observations; NULL: none */
  arr_array fweights;  /* a vector: how often each observation counts, whole numbers; NULL: once */
  arr_array aweights;  /* a vector: weights of the observations; NULL: none */
  int32_t columns;     /* 0: a variable is a row; 1: a column (NumPy's rowvar=False) */
  int32_t bias;        /* 1: divided by how many observations there are; 0: by one less */
  int32_t ddof;        /* taken off their number instead, where ddof_set is 1 */
  int32_t ddof_set;    /* 0: bias decides */
  arr_dtype dtype;     /* of computation and result; 0: float64 or complex128 */
  int32_t reserved;    /* 0 */
} arr_cov_options;

/** Covariances of variables: out[i, j] of variables i and j, of no dimensions where there is one variable only.
 *  @param m  a matrix of observations, or a vector: one variable
 *  @param[in,null] options  NULL for the defaults; with weights the result is of float64 or complex128 at least
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync with weights, which are checked   @threads any   @since 0.1
 *  @cupy cupy.cov */
ARR_API arr_status arr_cov(arr_array m, const arr_cov_options *options, arr_stream stream, arr_array *out);

/** Correlation coefficients of variables: covariances over the standard deviations, within -1 and 1.
 *  @param x  a matrix of observations, or a vector: one variable
 *  @param[in,null] options  NULL for the defaults; no weights, and neither bias nor ddof matters
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.corrcoef */
ARR_API arr_status arr_corrcoef(arr_array x, const arr_cov_options *options, arr_stream stream,
                                arr_array *out);

/* ---------------------------------------------------------------------------- norms, exponentials */

/** Norm of the elements along axes as one vector: sum(|a|^p)^(1/p).
 *  @param a  the array; integers give float64, complex arrays a real result
 *  @param p  2 for the Euclidean norm; an infinity for the largest (smallest) magnitude; 0 for how many are not 0
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_vector_norm(arr_array a, double p, int32_t naxes, const int32_t *axes,
                                   int32_t keepdims, arr_stream stream, arr_array *out);

/** Logarithm of a weighted sum of exponentials, log(sum(b * exp(a))), without overflow; -inf for nothing.
 *  @param a  real; floats (float16 and bfloat16 are computed in float32), integers give float64
 *  @param b  what each exponential is multiplied by: real, of any sign, of a shape that broadcasts to that of a. Where
 *  it is 0, an infinity or nan of a counts nothing
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes that are summed over; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; nan where the sum is negative
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.special.logsumexp */
ARR_API arr_status arr_logsumexp_weighted(arr_array a, arr_array b, int32_t naxes, const int32_t *axes,
                                          int32_t keepdims, arr_stream stream, arr_array *out);

/** Size and sign of a weighted sum of exponentials: log(|sum(b * exp(a))|), and the sign of the sum.
 *  @param a  real; floats (float16 and bfloat16 are computed in float32), integers give float64
 *  @param b  what each exponential is multiplied by: real, of any sign, of a shape that broadcasts to that of a. Where
 *  it is 0, an infinity or nan of a counts nothing
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes that are summed over; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, the logarithm
 *  @param[out] out_sign  one new reference, of its shape and type: -1, 0, 1 or nan
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.special.logsumexp */
ARR_API arr_status arr_logsumexp_signed(arr_array a, arr_array b, int32_t naxes, const int32_t *axes,
                                        int32_t keepdims, arr_stream stream, arr_array *out,
                                        arr_array *out_sign);

/** exp(a) / sum(exp(a)), without overflow: one pass that reduces and one that writes.
 *  @param a  floats (float16 and bfloat16 are computed in float32); integers give float64
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes that are summed over; negative values count from the end; NULL selects all
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, of a's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.special.softmax */
ARR_API arr_status arr_softmax(arr_array a, int32_t naxes, const int32_t *axes, arr_stream stream,
                               arr_array *out);

/** Logarithm of arr_softmax, with the digits that log(softmax) loses.
 *  @param a  floats (float16 and bfloat16 are computed in float32); integers give float64
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes that are summed over; negative values count from the end; NULL selects all
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, of a's shape
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.special.log_softmax */
ARR_API arr_status arr_log_softmax(arr_array a, int32_t naxes, const int32_t *axes, arr_stream stream,
                                   arr_array *out);

/* ------------------------------------------------------------------------------ medians, quantiles */

/* How a quantile that falls between two elements is estimated: NumPy's methods. */
#define ARR_QUANTILE_LINEAR 0                    /* between them, the whole range 0 .. n - 1 */
#define ARR_QUANTILE_LOWER 1                     /* the lower one */
#define ARR_QUANTILE_HIGHER 2                    /* the higher one */
#define ARR_QUANTILE_MIDPOINT 3                  /* their mean */
#define ARR_QUANTILE_NEAREST 4                   /* the nearer one, of equally near ones the even rank */
#define ARR_QUANTILE_INVERTED_CDF 5              /* method 1 of Hyndman and Fan */
#define ARR_QUANTILE_AVERAGED_INVERTED_CDF 6     /* method 2 */
#define ARR_QUANTILE_CLOSEST_OBSERVATION 7       /* method 3 */
#define ARR_QUANTILE_INTERPOLATED_INVERTED_CDF 8 /* method 4 */
#define ARR_QUANTILE_HAZEN 9                     /* method 5 */
#define ARR_QUANTILE_WEIBULL 10                  /* method 6 */
#define ARR_QUANTILE_MEDIAN_UNBIASED 11          /* method 8 */
#define ARR_QUANTILE_NORMAL_UNBIASED 12          /* method 9 */

/** Median: the middle element, or the mean of the two in the middle; nan if there is one. Complex numbers are in the
 *  order of their real, then imaginary parts, and one with a nan part is nan.
 *  @param a  the array; integers and bool give float64
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.median */
ARR_API arr_status arr_median(arr_array a, int32_t naxes, const int32_t *axes, int32_t keepdims,
                              arr_stream stream, arr_array *out);

/** Median of the elements that are not nan; nan where all are. Complex numbers as for arr_median.
 *  @param a  the array; integers and bool give float64
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.nanmedian */
ARR_API arr_status arr_nanmedian(arr_array a, int32_t naxes, const int32_t *axes, int32_t keepdims,
                                 arr_stream stream, arr_array *out);

/** Quantiles; nan if there is one. Methods that pick an element keep its dtype; the others give
 *  float64, but one quantile (nq 0) of floats in their type, as NumPy's for a plain number. Of no elements
 *  they are nan, as the median and the mean are in NumPy, whose quantile is an error there; ARR_E_SHAPE where
 *  the result's type has no nan.
 *  @param a  real; bool only by methods that pick an element
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: an axis of nq, then the axes that are left
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.quantile */
ARR_API arr_status arr_quantile(arr_array a, int32_t nq, const double *q, int32_t naxes, const int32_t *axes,
                                int32_t keepdims, int32_t method, arr_stream stream, arr_array *out);

/** Percentiles; nan if there is one. Methods that pick an element keep its dtype; the others give
 *  float64, but one quantile (nq 0) of floats in their type, as NumPy's for a plain number. Of no elements
 *  they are as arr_quantile's.
 *  @param a  real; bool only by methods that pick an element
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: an axis of nq, then the axes that are left
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.percentile */
ARR_API arr_status arr_percentile(arr_array a, int32_t nq, const double *q, int32_t naxes,
                                  const int32_t *axes, int32_t keepdims, int32_t method, arr_stream stream,
                                  arr_array *out);

/** Quantiles of the elements that are not nan; nan where all are. Methods that pick an element keep its dtype; the
 *  others give float64, but one quantile (nq 0) of floats in their type, as NumPy's for a plain number.
 *  @param a  real; bool only by methods that pick an element
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 1; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: an axis of nq, then the axes that are left
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_nanquantile(arr_array a, int32_t nq, const double *q, int32_t naxes,
                                   const int32_t *axes, int32_t keepdims, int32_t method, arr_stream stream,
                                   arr_array *out);

/** Percentiles of the elements that are not nan; nan where all are. Methods that pick an element keep its dtype; the
 *  others give float64, but one quantile (nq 0) of floats in their type, as NumPy's for a plain number.
 *  @param a  real; bool only by methods that pick an element
 *  @param nq  number of quantiles, or 0: one, and the result has no axis for it
 *  @param[in,len=nq] q  each in 0 .. 100; not NULL
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; negative values count from the end; NULL selects all
 *  @param keepdims  1: reduced axes stay with extent 1
 *  @param method  ARR_QUANTILE_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: an axis of nq, then the axes that are left
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED,
 *      ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_nanpercentile(arr_array a, int32_t nq, const double *q, int32_t naxes,
                                     const int32_t *axes, int32_t keepdims, int32_t method, arr_stream stream,
                                     arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
