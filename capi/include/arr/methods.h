/* SPDX-License-Identifier: MIT */
/* methods.h - the methods of operations, into existing arrays. */
#ifndef ARR_METHODS_H
#define ARR_METHODS_H
#include "arr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/** arr_ufunc_accumulate into an existing array of the shape of a; cast within a kind.
 *  @param dst  written; may be or overlap a
 *  @param op  number from arr_op_find
 *  @param a  the array, of one dimension or more
 *  @param axis  along which, negative from the end
 *  @param dtype  accumulated in; 0: as the reduction's result, small integers in 64 bits
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *  ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_ufunc_accumulate_into(arr_array dst, int32_t op, arr_array a, int32_t axis,
                                             arr_dtype dtype, arr_stream stream);

/** arr_ufunc_reduceat into an existing array of the result's shape; cast within a kind.
 *  @param dst  written; may be or overlap a
 *  @param op  number from arr_op_find
 *  @param a  the array, of one dimension or more
 *  @param nindices  number of slices, the extent of the result's axis
 *  @param indices  [nindices] where each slice starts, from 0 to the axis' extent - 1, on the host
 *  @param axis  along which, negative from the end
 *  @param dtype  reduced in; 0: as the reduction's result, small integers in 64 bits
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *  ARR_E_UNSUPPORTED
 *  @sync no; a GPU's stream is waited for where bounds go there   @threads any   @since 0.1 */
ARR_API arr_status arr_ufunc_reduceat_into(arr_array dst, int32_t op, arr_array a, int64_t nindices,
                                           const int64_t *indices, int32_t axis, arr_dtype dtype,
                                           arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
