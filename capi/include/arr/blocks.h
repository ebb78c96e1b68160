/* SPDX-License-Identifier: MIT */
/* blocks.h - arrays put together from blocks, and elements repeated by counts of their own. */
#ifndef ARR_BLOCKS_H
#define ARR_BLOCKS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Blocks put together, as numpy.block does it of nested lists. The innermost lists join along the last axis, those
 *  outside of them along the axis before, and so on. Blocks get leading axes of extent 1.
 *  @param n  number of blocks, 1 or more
 *  @param[in,len=n] arrays  the blocks in the order of the lists, on one device
 *  @param depth  how deep the lists are nested; 0: there is one block and no list
 *  @param nlengths  number of lists
 *  @param[in,null,len=nlengths] lengths  number of entries of each list, before those of the lists inside of it: 2,
 *      2, 1 for [[a, b], [c]]; may be NULL when there are none
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, of the type that all promote to
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_block(int32_t n, const arr_array *arrays, int32_t depth, int32_t nlengths,
                             const int32_t *lengths, arr_stream stream, arr_array *out);

/** Each element of an axis repeated as often as its own count says.
 *  @param a  the array
 *  @param counts  integers, 0 or more: one for each element of the axis, or one for all
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: all elements in row-major order
 *  @param total  the sum of the counts, if the caller knows it: then nothing waits and the counts are not checked; else
 *      -1. With another number than the sum the elements are unspecified
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes if total is -1, until the sum is known   @threads any   @since 0.1
 *  @cupy cupy.repeat, cupy.ndarray.repeat */
ARR_API arr_status arr_repeat_counts(arr_array a, arr_array counts, int32_t axis, int64_t total,
                                     arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
