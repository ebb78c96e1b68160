/* SPDX-License-Identifier: MIT */
/* histogram.h - counts of values. */
#ifndef ARR_HISTOGRAM_H
#define ARR_HISTOGRAM_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How often each of 0, 1, 2, ... occurs in a vector, or the sums of the weights of its occurrences. On the host
 *  weights add up in order; on a CUDA device in any order.
 *  @param x  a vector of bool or of integers, none negative; not of uint64
 *  @param weights  real, of x's shape, added in float64; NULL: each counts 1, in int64
 *  @param minlength  least extent of the result, 0 for none
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: a vector of minlength or one more than the largest of x, whichever is more;
 *  for an empty x of int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the largest of x   @threads any   @since 0.1
 *  @cupy cupy.bincount */
ARR_API arr_status arr_bincount(arr_array x, arr_array weights, int64_t minlength, arr_stream stream,
                                arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
