/* SPDX-License-Identifier: MIT */
/* cosine.h - discrete cosine and sine transforms of types 1 to 4. */
#ifndef ARR_COSINE_H
#define ARR_COSINE_H
#include "arr/fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The norms are those of fft.h, with 2n for n: the factor of the inverse is 1 / 2n, of type 1 by cosines
 * 1 / 2(n-1), by sines 1 / 2(n+1). ARR_FFT_ORTHO also scales the ends by sqrt(2) where that makes the
 * transform orthogonal but for its factor, which ARR_COSINE_ORTHOGONAL and ARR_COSINE_PLAIN say by themselves:
 * ARR_FFT_BACKWARD + ARR_COSINE_ORTHOGONAL, ARR_FFT_ORTHO + ARR_COSINE_PLAIN. Results are float32, or complex64, of
 * float16, bfloat16, float32 and complex64, and float64 or complex128 of everything else; real and imaginary parts are
 * transformed each by itself. They keep the order in memory of the input. */
#define ARR_COSINE_ORTHOGONAL 16 /* added to a norm: the ends are scaled; SciPy's orthogonalize */
#define ARR_COSINE_PLAIN 32      /* added to a norm: they are not */

/** Discrete cosine transform along an axis. Type 2: out[k] = 2 sum over j of a[j] cos(pi (2j+1) k / 2n).
 *  Type 1, of 2 elements or more: the sum of a[0], (-1)^k a[n-1] and 2 sum over the others of a[j] cos(pi j k / (n-1)).
 *  Type 3: the sum of a[0] and 2 sum over the others of a[j] cos(pi j (2k+1) / 2n).
 *  Type 4: 2 sum over j of a[j] cos(pi (2j+1)(2k+1) / 4n).
 *  @param a  the array
 *  @param type  1 to 4
 *  @param n  elements along the axis: more are left out, missing ones are 0; -1: as many as there are
 *  @param axis  the axis; negative values count from the end
 *  @param norm  ARR_FFT_..., with ARR_COSINE_... added or not
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.dct */
ARR_API arr_status arr_dct(arr_array a, int32_t type, int64_t n, int32_t axis, int32_t norm,
                           arr_stream stream, arr_array *out);

/** Inverse of arr_dct of the same type and norm.
 *  @param a  the array
 *  @param type  1 to 4
 *  @param n  elements along the axis: more are left out, missing ones are 0; -1: as many as there are
 *  @param axis  the axis; negative values count from the end
 *  @param norm  ARR_FFT_..., with ARR_COSINE_... added or not
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.idct */
ARR_API arr_status arr_idct(arr_array a, int32_t type, int64_t n, int32_t axis, int32_t norm,
                            arr_stream stream, arr_array *out);

/** Discrete sine transform along an axis. Type 2: out[k] = 2 sum over j of a[j] sin(pi (2j+1)(k+1) / 2n).
 *  Type 1: 2 sum over j of a[j] sin(pi (j+1)(k+1) / (n+1)).
 *  Type 3: the sum of (-1)^k a[n-1] and 2 sum over the others of a[j] sin(pi (j+1)(2k+1) / 2n).
 *  Type 4: 2 sum over j of a[j] sin(pi (2j+1)(2k+1) / 4n).
 *  @param a  the array
 *  @param type  1 to 4
 *  @param n  elements along the axis: more are left out, missing ones are 0; -1: as many as there are
 *  @param axis  the axis; negative values count from the end
 *  @param norm  ARR_FFT_..., with ARR_COSINE_... added or not
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.dst */
ARR_API arr_status arr_dst(arr_array a, int32_t type, int64_t n, int32_t axis, int32_t norm,
                           arr_stream stream, arr_array *out);

/** Inverse of arr_dst of the same type and norm.
 *  @param a  the array
 *  @param type  1 to 4
 *  @param n  elements along the axis: more are left out, missing ones are 0; -1: as many as there are
 *  @param axis  the axis; negative values count from the end
 *  @param norm  ARR_FFT_..., with ARR_COSINE_... added or not
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.idst */
ARR_API arr_status arr_idst(arr_array a, int32_t type, int64_t n, int32_t axis, int32_t norm,
                            arr_stream stream, arr_array *out);

/** Discrete cosine transform along several axes, one after the other.
 *  @param a  the array
 *  @param type  1 to 4, along each axis
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  elements along each axis: more are left out, missing ones are 0; -1: as many as there
 *    are; NULL: -1 everywhere
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects the last
 *      naxes, or all where naxes is 0
 *  @param norm  ARR_FFT_..., with ARR_COSINE_... added or not
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.dctn */
ARR_API arr_status arr_dctn(arr_array a, int32_t type, int32_t naxes, const int64_t *s, const int32_t *axes,
                            int32_t norm, arr_stream stream, arr_array *out);

/** Inverse of arr_dctn of the same type and norm.
 *  @param a  the array
 *  @param type  1 to 4, along each axis
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  elements along each axis: more are left out, missing ones are 0; -1: as many as there
 *    are; NULL: -1 everywhere
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects the last
 *      naxes, or all where naxes is 0
 *  @param norm  ARR_FFT_..., with ARR_COSINE_... added or not
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.idctn */
ARR_API arr_status arr_idctn(arr_array a, int32_t type, int32_t naxes, const int64_t *s, const int32_t *axes,
                             int32_t norm, arr_stream stream, arr_array *out);

/** Discrete sine transform along several axes, one after the other.
 *  @param a  the array
 *  @param type  1 to 4, along each axis
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  elements along each axis: more are left out, missing ones are 0; -1: as many as there
 *    are; NULL: -1 everywhere
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects the last
 *      naxes, or all where naxes is 0
 *  @param norm  ARR_FFT_..., with ARR_COSINE_... added or not
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.dstn */
ARR_API arr_status arr_dstn(arr_array a, int32_t type, int32_t naxes, const int64_t *s, const int32_t *axes,
                            int32_t norm, arr_stream stream, arr_array *out);

/** Inverse of arr_dstn of the same type and norm.
 *  @param a  the array
 *  @param type  1 to 4, along each axis
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  elements along each axis: more are left out, missing ones are 0; -1: as many as there
 *    are; NULL: -1 everywhere
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects the last
 *      naxes, or all where naxes is 0
 *  @param norm  ARR_FFT_..., with ARR_COSINE_... added or not
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.idstn */
ARR_API arr_status arr_idstn(arr_array a, int32_t type, int32_t naxes, const int64_t *s, const int32_t *axes,
                             int32_t norm, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
