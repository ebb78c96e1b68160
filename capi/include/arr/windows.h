/* SPDX-License-Identifier: MIT */
/* windows.h - windows for spectra, by NumPy's formulas: symmetric, of n points; computed in float64. */
#ifndef ARR_WINDOWS_H
#define ARR_WINDOWS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Triangular window, 0 at both ends.
 *  @param n  points; less than 1 returns none, 1 returns 1
 *  @param dtype  a float; 0: float64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.bartlett */
ARR_API arr_status arr_bartlett(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                                arr_array *out);

/** Blackman's window: 0.42 + 0.5 cos(pi t) + 0.08 cos(2 pi t), t from -1 to 1.
 *  @param n  points; less than 1 returns none, 1 returns 1
 *  @param dtype  a float; 0: float64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.blackman */
ARR_API arr_status arr_blackman(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                                arr_array *out);

/** Hamming's window: 0.54 + 0.46 cos(pi t), t from -1 to 1.
 *  @param n  points; less than 1 returns none, 1 returns 1
 *  @param dtype  a float; 0: float64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.hamming */
ARR_API arr_status arr_hamming(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                               arr_array *out);

/** Von Hann's window: 0.5 + 0.5 cos(pi t), t from -1 to 1.
 *  @param n  points; less than 1 returns none, 1 returns 1
 *  @param dtype  a float; 0: float64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.hanning */
ARR_API arr_status arr_hanning(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                               arr_array *out);

/** Kaiser's window: i0(beta sqrt(1 - t * t)) / i0(beta), t from -1 to 1.
 *  @param n  points; less than 1 returns none, 1 returns 1
 *  @param beta  its shape: 0 a rectangle, 5 like Hamming's, 8.6 like Blackman's
 *  @param dtype  a float; 0: float64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
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
