/* SPDX-License-Identifier: MIT */
/* signal.h - convolution. */
#ifndef ARR_SIGNAL_H
#define ARR_SIGNAL_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the transforms' functions n is the extent of a along an axis and m that of v: SAME gives them n elements there,
 * and for VALID one array must hold the other along every axis. */
#define ARR_CONVOLVE_FULL 0 /* every overlap: n + m - 1 elements */
#define ARR_CONVOLVE_SAME 1 /* the middle of these: max(n, m) elements */
#define ARR_CONVOLVE_VALID \
  2 /* where the shorter lies within the longer: max(n, m) - min(n, m) + 1 elements */

/** One-dimensional convolution, out[k] = sum over j of a[j] * v[k - j]. The direct form:
 *  n * m steps, in passes of seven taps each, so meant for short v; 16-bit floats add in float32.
 *  @param a  (n), not empty
 *  @param v  (m), not empty
 *  @param mode  ARR_CONVOLVE_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.convolve */
ARR_API arr_status arr_convolve(arr_array a, arr_array v, int32_t mode, arr_stream stream, arr_array *out);

/** One-dimensional correlation, out[k] = sum over j of a[j + k] * conj(v[j]) from k = -(m - 1) on. The direct form:
 *  n * m steps, in passes of seven taps each, so meant for short v; 16-bit floats add in float32.
 *  @param a  (n), not empty
 *  @param v  (m), not empty
 *  @param mode  ARR_CONVOLVE_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.correlate */
ARR_API arr_status arr_correlate(arr_array a, arr_array v, int32_t mode, arr_stream stream, arr_array *out);

/** Convolution along axes by Fourier transforms (see fft.h), for long v. Floats, and float64 of integers:
 *  errors are relative to the largest elements, and an infinity or nan spreads over everything.
 *  @param a  the array, not empty
 *  @param v  not empty, of as many dimensions
 *  @param mode  ARR_CONVOLVE_...
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects all. Along
 *      the others the arrays broadcast
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.signal.fftconvolve */
ARR_API arr_status arr_fftconvolve(arr_array a, arr_array v, int32_t mode, int32_t naxes, const int32_t *axes,
                                   arr_stream stream, arr_array *out);

/** The same as arr_fftconvolve with the longer array in blocks along the axis where the extents differ most:
 *  faster and in less memory where v is much shorter, or longer, than a.
 *  @param a  the array, not empty
 *  @param v  not empty, of as many dimensions
 *  @param mode  ARR_CONVOLVE_...
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects all. Along
 *      the others the arrays broadcast
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.signal.oaconvolve */
ARR_API arr_status arr_oaconvolve(arr_array a, arr_array v, int32_t mode, int32_t naxes, const int32_t *axes,
                                  arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
