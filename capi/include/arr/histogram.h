/* SPDX-License-Identifier: MIT */
/* histogram.h - counts of values, and of values in bins. */
#ifndef ARR_HISTOGRAM_H
#define ARR_HISTOGRAM_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Counts the occurrences of each of the numbers 0, 1, 2 and so on in a vector, or adds the weights of these
 *  occurrences. On the host weights are added in order, on a CUDA device in any order.
 *  @param x  a vector of bool or of integers other than uint64; no element is negative
 *  @param[in,null] weights  real, of x's shape; added in float64; NULL counts each element as 1, in int64
 *  @param minlength  least extent of the result; 0 for no minimum
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: a vector of minlength elements or of the largest element of x plus one,
 *      whichever is more; for an empty x of int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the largest element of x */
ARR_API arr_status arr_bincount(arr_array x, arr_array weights, int64_t minlength, arr_stream stream,
                                arr_array *out);

/** Options of histograms. Zero everything, then set struct_size. */
typedef struct arr_histogram_options {
  int64_t struct_size; /* sizeof(arr_histogram_options) */
  const double *range; /* [2] per dimension: first and last edge, twice nan or NULL for the data's range */
  arr_array weights;   /* the weight of each element, of x's shape; NULL selects 1 */
  int32_t density;     /* 1: sums are divided by the total and by the bins' sizes; 0: sums */
  int32_t reserved;    /* must be 0 */
} arr_histogram_options;

/* Values for the number of bins: NumPy's estimators, computed from the elements within the range. */
#define ARR_BINS_AUTO (-1)    /* the larger of fd and sturges, unless fd's number is very large */
#define ARR_BINS_FD (-2)      /* Freedman and Diaconis: from the interquartile range */
#define ARR_BINS_DOANE (-3)   /* sturges with a term for skewness */
#define ARR_BINS_SCOTT (-4)   /* from the standard deviation */
#define ARR_BINS_STONE (-5)   /* the number with the least estimated error, up to max(100, sqrt(n)) */
#define ARR_BINS_RICE (-6)    /* 2 n^(1/3) */
#define ARR_BINS_STURGES (-7) /* log2(n) + 1 */
#define ARR_BINS_SQRT (-8)    /* sqrt(n) */

/** Counts how many elements are in each bin. A bin includes its lower edge; the last bin includes both edges. Elements
 *  outside of the edges and nan are not counted. Even bins are computed by NumPy's arithmetic in the same types and
 *  have its edges to the last bit. On a CUDA device float weights are added in any order.
 *  @param x  the array, real
 *  @param nbins  number of even bins, or ARR_BINS_... without weights; ignored with edges
 *  @param[in,null] edges  an increasing vector of edges, with which elements are compared as by arr_searchsorted; NULL
 *      selects even bins
 *  @param[in,null] options  the options; NULL selects the defaults; the range applies to even bins only
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_counts  one new reference: a vector of int64; with weights of their dtype (they are added in float64
 *      or complex128); with density of floats
 *  @param[out] out_edges  one new reference: a vector with one element more; float64 for integers, else of x's dtype;
 *      given edges are returned unchanged
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the range of x if none is given, for given edges, and for estimates */
ARR_API arr_status arr_histogram(arr_array x, int64_t nbins, arr_array edges,
                                 const arr_histogram_options *options, arr_stream stream,
                                 arr_array *out_counts, arr_array *out_edges);

/** Returns the edges of a histogram's even bins.
 *  @param x  the array, real; only its range is used, and the elements that an estimator needs
 *  @param nbins  number of bins, or ARR_BINS_...
 *  @param[in,null] options  the options; NULL selects the defaults; only the range is used; estimators allow no
 *      weights
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: a vector of nbins + 1
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the range of x if none is given, and for estimates */
ARR_API arr_status arr_histogram_bin_edges(arr_array x, int64_t nbins, const arr_histogram_options *options,
                                           arr_stream stream, arr_array *out);

/** Computes a histogram of points in the plane.
 *  @param x  a vector of first coordinates, real
 *  @param y  a vector of second coordinates, of the same length
 *  @param nbins_x  number of even bins of x; ignored with edges_x
 *  @param nbins_y  number of even bins of y; ignored with edges_y
 *  @param[in,null] edges_x  an increasing vector of edges; NULL selects even bins
 *  @param[in,null] edges_y  an increasing vector of edges; NULL selects even bins
 *  @param[in,null] options  the options; NULL selects the defaults; weights are real
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_counts  one new reference: of shape (bins of x, bins of y), float64
 *  @param[out] out_edges_x  one new reference: a vector with one element more
 *  @param[out] out_edges_y  one new reference: a vector with one element more
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for ranges that are not given, and for given edges */
ARR_API arr_status arr_histogram2d(arr_array x, arr_array y, int64_t nbins_x, int64_t nbins_y,
                                   arr_array edges_x, arr_array edges_y, const arr_histogram_options *options,
                                   arr_stream stream, arr_array *out_counts, arr_array *out_edges_x,
                                   arr_array *out_edges_y);

/** Computes a histogram of points with any number of dimensions.
 *  @param ndim  number of dimensions, 1 to 32
 *  @param[in,len=ndim] in  vectors of one length, one for each coordinate, real
 *  @param[in,len=ndim] nbins  number of even bins of each dimension; 0 if edges are given
 *  @param[in,null,len=ndim] edges  increasing vectors of edges; NULL entries select even bins; may be NULL: all bins
 *      are even
 *  @param[in,null] options  the options; NULL selects the defaults; weights are real
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out_counts  one new reference: float64, with one axis per dimension
 *  @param[out,len=ndim] out_edges  new references: vectors with one element more
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for ranges that are not given, and for given edges */
ARR_API arr_status arr_histogramdd(int32_t ndim, const arr_array *in, const int64_t *nbins,
                                   const arr_array *edges, const arr_histogram_options *options,
                                   arr_stream stream, arr_array *out_counts, arr_array *out_edges);

#ifdef __cplusplus
}
#endif
#endif
