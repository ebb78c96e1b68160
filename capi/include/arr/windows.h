/* SPDX-License-Identifier: MIT */
/* windows.h - window functions for spectra by NumPy's formulas: symmetric, with n points, computed in float64. */
#ifndef ARR_WINDOWS_H
#define ARR_WINDOWS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Returns the triangular (Bartlett) window, which is 0 at both ends.
 *  @param n  number of points; the result is empty for n < 1 and a single 1 for n = 1
 *  @param dtype  a float type; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.bartlett */
ARR_API arr_status arr_bartlett(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                                arr_array *out);

/** Returns the Blackman window: 0.42 + 0.5 cos(pi t) + 0.08 cos(2 pi t), t from -1 to 1.
 *  @param n  number of points; the result is empty for n < 1 and a single 1 for n = 1
 *  @param dtype  a float type; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.blackman */
ARR_API arr_status arr_blackman(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                                arr_array *out);

/** Returns the Hamming window: 0.54 + 0.46 cos(pi t), t from -1 to 1.
 *  @param n  number of points; the result is empty for n < 1 and a single 1 for n = 1
 *  @param dtype  a float type; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.hamming */
ARR_API arr_status arr_hamming(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                               arr_array *out);

/** Returns the Hann window: 0.5 + 0.5 cos(pi t), t from -1 to 1.
 *  @param n  number of points; the result is empty for n < 1 and a single 1 for n = 1
 *  @param dtype  a float type; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.hanning */
ARR_API arr_status arr_hanning(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                               arr_array *out);

/** Returns the Kaiser window: i0(beta sqrt(1 - t * t)) / i0(beta), t from -1 to 1.
 *  @param n  number of points; the result is empty for n < 1 and a single 1 for n = 1
 *  @param beta  shape: 0 is a rectangle, 5 is similar to Hamming's window, 8.6 to Blackman's
 *  @param dtype  a float type; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.kaiser */
ARR_API arr_status arr_kaiser(int64_t n, double beta, arr_dtype dtype, const arr_device *device,
                              arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
