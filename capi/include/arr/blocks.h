/* SPDX-License-Identifier: MIT */
/* blocks.h - assembling arrays from blocks, and repeating each element by its count. */
#ifndef ARR_BLOCKS_H
#define ARR_BLOCKS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Assembles an array from nested lists of blocks (NumPy's block). The innermost lists are joined along the last
 *  axis, the lists that contain them along the axis before, and so on. Blocks get leading axes of extent 1 as
 *  needed.
 *  @param n  number of blocks, 1 or more
 *  @param[in,len=n] arrays  the blocks in the order of the lists, on one device
 *  @param depth  depth to which the lists are nested; 0: one block and no list
 *  @param nlengths  number of lists
 *  @param[in,null,len=nlengths] lengths  number of entries of each list, which comes before the lists that it
 *      contains: 2, 2, 1 for [[a, b], [c]]; may be NULL if nlengths is 0
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of the dtype that all blocks promote to
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_block(int32_t n, const arr_array *arrays, int32_t depth, int32_t nlengths,
                             const int32_t *lengths, arr_stream stream, arr_array *out);

/** Repeats each element along an axis by a count for that element.
 *  @param a  the array
 *  @param counts  integers, 0 or more: one for each index of the axis, or one for all
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param total  the sum of the counts if the caller knows it: the call then does not wait and does not check the
 *      counts; else -1. If it is not the sum, the elements of the result are unspecified
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes if total is -1, until the sum is known */
ARR_API arr_status arr_repeat_counts(arr_array a, arr_array counts, int32_t axis, int64_t total,
                                     arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
