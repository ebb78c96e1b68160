/* SPDX-License-Identifier: MIT */
/* linalg.h - linear algebra. */
#ifndef ARR_LINALG_H
#define ARR_LINALG_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Matrix product; of arrays with more than two dimensions, that of each pair of matrices in the last two.
 *  One-dimensional operands are a row on the left and a column on the right. No operand is copied to
 *  another order.
 *  @param a  (..., m, k) or (k)
 *  @param b  (..., k, n) or (k)
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.matmul */
ARR_API arr_status arr_matmul(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Matrix product into an existing array of its shape.
 *  @param dst  the array or view, written; may overlap nothing it is computed from without a copy being made
 *  @param a  (..., m, k) or (k)
 *  @param b  (..., k, n) or (k)
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_matmul_into(arr_array dst, arr_array a, arr_array b, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
