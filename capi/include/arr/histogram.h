/* SPDX-License-Identifier: MIT */
/* histogram.h - counts of values, and of values in bins. */
#ifndef ARR_HISTOGRAM_H
#define ARR_HISTOGRAM_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How often each of 0, 1, 2, ... occurs in a vector, or the sums of the weights of its occurrences. On the host
 *  weights add up in order; on a CUDA device in any order.
 *  @param x  a vector of bool or of integers, none negative; not of uint64
 *  @param[in,null] weights  real, of x's shape, added in float64; NULL: each counts 1, in int64
 *  @param minlength  least extent of the result, 0 for none
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: a vector of minlength or one more than the largest of x, whichever is more;
 *  for an empty x of int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the largest of x   @threads any   @since 0.1
 *  @cupy cupy.bincount */
ARR_API arr_status arr_bincount(arr_array x, arr_array weights, int64_t minlength, arr_stream stream,
                                arr_array *out);

/** Options of histograms. Zero everything, then set struct_size. */
typedef struct arr_histogram_options {
  int64_t struct_size; /* sizeof(arr_histogram_options) */
  const double *
      range; /* [2] per dimension: the first and the last edge, or twice nan for the data's; NULL: the data's */
  arr_array weights; /* of x's shape: what each element counts; NULL: 1 */
  int32_t density;   /* 1: divided by the sum of all and by the bins' sizes; 0: sums */
  int32_t reserved;  /* 0 */
} arr_histogram_options;

/* Instead of a number of bins: NumPy's estimators of a good one, from the elements within the range. */
#define ARR_BINS_AUTO (-1)  /* the larger number of fd and sturges, unless fd's is very large */
#define ARR_BINS_FD (-2)    /* Freedman and Diaconis: by the range between quartiles */
#define ARR_BINS_DOANE (-3) /* sturges with a term for skewness */
#define ARR_BINS_SCOTT (-4) /* by the standard deviation */
#define ARR_BINS_STONE \
  (-5) /* the least estimated error of up to max(100, sqrt(n)) bins, each of which is tried */
#define ARR_BINS_RICE (-6)    /* 2 n^(1/3) */
#define ARR_BINS_STURGES (-7) /* log2(n) + 1 */
#define ARR_BINS_SQRT (-8)    /* sqrt(n) */

/** Histogram: how many elements lie in each bin, between one edge and the next; the last bin has both its edges.
 *  Elements outside of the edges and nan count nowhere. Even bins are found by NumPy's arithmetic, in the same types,
 *  and have its edges to the last bit. On a CUDA device float weights add up in any order.
 *  @param x  real
 *  @param nbins  number of even bins, or ARR_BINS_... without weights; without edges
 *  @param[in,null] edges  an increasing vector of edges instead; NULL: even bins
 *  @param[in,null] options  NULL for the defaults; the range is of even bins only
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_counts  one new reference: a vector of int64, with weights of their dtype (they add up in float64 or
 *  complex128), with density of floats
 *  @param[out] out_edges  one new reference: a vector of one more; float64 for integers, else of x's dtype; given edges
 *  as they are
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the range of x where none is given, for given edges, and for estimates   @threads any   @since 0.1
 *  @cupy cupy.histogram */
ARR_API arr_status arr_histogram(arr_array x, int64_t nbins, arr_array edges,
                                 const arr_histogram_options *options, arr_stream stream,
                                 arr_array *out_counts, arr_array *out_edges);

/** The edges of a histogram's even bins.
 *  @param x  real; only its range is looked at, and what an estimate is made of
 *  @param nbins  number of bins, or ARR_BINS_...
 *  @param[in,null] options  NULL for the defaults; only the range matters, and that there are no weights for an
 *      estimate
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: a vector of nbins + 1
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the range of x where none is given, and for estimates   @threads any   @since 0.1 */
ARR_API arr_status arr_histogram_bin_edges(arr_array x, int64_t nbins, const arr_histogram_options *options,
                                           arr_stream stream, arr_array *out);

/** Histogram of points of the plane.
 *  @param x  a vector of first coordinates, real
 *  @param y  a vector of second coordinates, of the same length
 *  @param nbins_x  number of even bins of x, without edges_x
 *  @param nbins_y  number of even bins of y, without edges_y
 *  @param[in,null] edges_x  an increasing vector of edges instead; NULL: even bins
 *  @param[in,null] edges_y  an increasing vector of edges instead; NULL: even bins
 *  @param[in,null] options  NULL for the defaults; weights are real
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_counts  one new reference: of shape (bins of x, bins of y), float64
 *  @param[out] out_edges_x  one new reference: a vector of one more
 *  @param[out] out_edges_y  one new reference: a vector of one more
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for ranges that are not given, and for given edges   @threads any   @since 0.1
 *  @cupy cupy.histogram2d */
ARR_API arr_status arr_histogram2d(arr_array x, arr_array y, int64_t nbins_x, int64_t nbins_y,
                                   arr_array edges_x, arr_array edges_y, const arr_histogram_options *options,
                                   arr_stream stream, arr_array *out_counts, arr_array *out_edges_x,
                                   arr_array *out_edges_y);

/** Histogram of points of any number of dimensions.
 *  @param ndim  number of dimensions, 1 to 32
 *  @param[in,len=ndim] in  vectors of one length: a coordinate each, real
 *  @param[in,len=ndim] nbins  number of even bins per dimension; 0 where edges are given
 *  @param[in,null,len=ndim] edges  increasing vectors of edges, NULL where bins are even; may be NULL: all are even
 *  @param[in,null] options  NULL for the defaults; weights are real
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out_counts  one new reference: float64, an axis per dimension
 *  @param[out,len=ndim] out_edges  new references: vectors of one more
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for ranges that are not given, and for given edges   @threads any   @since 0.1
 *  @cupy cupy.histogramdd */
ARR_API arr_status arr_histogramdd(int32_t ndim, const arr_array *in, const int64_t *nbins,
                                   const arr_array *edges, const arr_histogram_options *options,
                                   arr_stream stream, arr_array *out_counts, arr_array *out_edges);

#ifdef __cplusplus
}
#endif
#endif
