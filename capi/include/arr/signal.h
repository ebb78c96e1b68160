/* SPDX-License-Identifier: MIT */
/* signal.h - convolution, correlation, and window functions for spectra. */
#ifndef ARR_SIGNAL_H
#define ARR_SIGNAL_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------- convolution */

/* In the functions of several axes, n is the extent of a along an axis and m that of v. SAME returns n elements
 * there, and for VALID one array must contain the other along every axis. */
#define ARR_CONVOLVE_FULL 0  /* every overlap: n + m - 1 elements */
#define ARR_CONVOLVE_SAME 1  /* the middle part of FULL: max(n, m) elements */
#define ARR_CONVOLVE_VALID 2 /* complete overlaps only: max(n, m) - min(n, m) + 1 elements */

/** Computes the one-dimensional convolution out[k] = sum over j of a[j] * v[k - j] directly: n * m steps in passes of
 *  seven taps each, for short v. 16-bit floats are added in float32.
 *  @param a  (n), not empty
 *  @param v  (m), not empty
 *  @param mode  ARR_CONVOLVE_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_convolve(arr_array a, arr_array v, int32_t mode, arr_stream stream, arr_array *out);

/** Computes the one-dimensional correlation out[k] = sum over j of a[j + k] * conj(v[j]), from k = -(m - 1) on,
 *  directly: n * m steps in passes of seven taps each, for short v. 16-bit floats are added in float32.
 *  @param a  (n), not empty
 *  @param v  (m), not empty
 *  @param mode  ARR_CONVOLVE_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_correlate(arr_array a, arr_array v, int32_t mode, arr_stream stream, arr_array *out);

/** Computes the convolution along axes by Fourier transforms (see fft.h), for long v. Results are floats, float64 for
 *  integers. Errors are relative to the largest elements, and an infinity or nan spreads over the whole result.
 *  @param a  the array, not empty
 *  @param v  the array, not empty, with as many dimensions as a
 *  @param mode  ARR_CONVOLVE_...
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects all. Along the other axes the arrays
 *      broadcast
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_fftconvolve(arr_array a, arr_array v, int32_t mode, int32_t naxes, const int32_t *axes,
                                   arr_stream stream, arr_array *out);

/** Computes arr_fftconvolve with the longer array in blocks along the axis where the extents differ most. It is faster
 *  and needs less memory if v is much shorter or longer than a.
 *  @param a  the array, not empty
 *  @param v  the array, not empty, with as many dimensions as a
 *  @param mode  ARR_CONVOLVE_...
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects all. Along the other axes the arrays
 *      broadcast
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_oaconvolve(arr_array a, arr_array v, int32_t mode, int32_t naxes, const int32_t *axes,
                                  arr_stream stream, arr_array *out);

/* ------------------------------------------------------------------------------------------ windows */

/* By NumPy's formulas: symmetric, with n points, computed in float64. */

/** Returns the triangular (Bartlett) window, which is 0 at both ends.
 *  @param n  number of points; the result is empty for n < 1 and a single 1 for n = 1
 *  @param dtype  the dtype, a float; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_bartlett(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                                arr_array *out);

/** Returns the Blackman window: 0.42 + 0.5 cos(pi t) + 0.08 cos(2 pi t), t from -1 to 1.
 *  @param n  number of points; the result is empty for n < 1 and a single 1 for n = 1
 *  @param dtype  the dtype, a float; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_blackman(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                                arr_array *out);

/** Returns the Hamming window: 0.54 + 0.46 cos(pi t), t from -1 to 1.
 *  @param n  number of points; the result is empty for n < 1 and a single 1 for n = 1
 *  @param dtype  the dtype, a float; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_hamming(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                               arr_array *out);

/** Returns the Hann window: 0.5 + 0.5 cos(pi t), t from -1 to 1.
 *  @param n  number of points; the result is empty for n < 1 and a single 1 for n = 1
 *  @param dtype  the dtype, a float; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_hanning(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                               arr_array *out);

/** Returns the Kaiser window: i0(beta sqrt(1 - t * t)) / i0(beta), t from -1 to 1.
 *  @param n  number of points; the result is empty for n < 1 and a single 1 for n = 1
 *  @param beta  shape: 0 is a rectangle, 5 is similar to Hamming's window, 8.6 to Blackman's
 *  @param dtype  the dtype, a float; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_kaiser(int64_t n, double beta, arr_dtype dtype, const arr_device *device,
                              arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
