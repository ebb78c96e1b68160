/* SPDX-License-Identifier: MIT */
/* cosine.h - discrete cosine and sine transforms of types 1 to 4. */
#ifndef ARR_COSINE_H
#define ARR_COSINE_H
#include "arr/fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The norms are those of fft.h, with 2n in place of n: the inverse has the factor 1 / 2n; for type 1 the factor
 * is 1 / 2(n-1) for cosines and 1 / 2(n+1) for sines. ARR_FFT_ORTHO also scales the end elements by sqrt(2) if
 * this makes the transform orthogonal up to a factor. ARR_COSINE_ORTHOGONAL and ARR_COSINE_PLAIN switch this
 * scaling on and off for any norm: ARR_FFT_BACKWARD + ARR_COSINE_ORTHOGONAL, ARR_FFT_ORTHO + ARR_COSINE_PLAIN.
 * Results are float32 or complex64 for float16, bfloat16, float32 and complex64, and float64 or complex128 for
 * all other types. Real and imaginary parts are transformed separately. Results keep the input's order in memory. */
#define ARR_COSINE_ORTHOGONAL 16 /* added to a norm: scales the end elements (SciPy's orthogonalize) */
#define ARR_COSINE_PLAIN 32      /* added to a norm: does not scale them */

/** Computes the discrete cosine transform along an axis. Type 2: out[k] = 2 sum over j of a[j] cos(pi (2j+1) k / 2n).
 *  Type 1, for 2 elements or more: the sum of a[0], (-1)^k a[n-1] and 2 sum over the other j of a[j] cos(pi j k /
 *  (n-1)). Type 3: the sum of a[0] and 2 sum over the other j of a[j] cos(pi j (2k+1) / 2n). Type 4: 2 sum over j of
 *  a[j] cos(pi (2j+1)(2k+1) / 4n).
 *  @param a  the array
 *  @param type  type of the transform, 1 to 4
 *  @param n  number of elements to transform along the axis: the input is truncated or zero-padded to it; -1 selects
 *      the axis' extent
 *  @param axis  the axis
 *  @param norm  ARR_FFT_..., optionally with ARR_COSINE_... added
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_dct(arr_array a, int32_t type, int64_t n, int32_t axis, int32_t norm,
                           arr_stream stream, arr_array *out);

/** Computes the inverse of arr_dct of the same type and norm.
 *  @param a  the array
 *  @param type  type of the transform, 1 to 4
 *  @param n  number of elements to transform along the axis: the input is truncated or zero-padded to it; -1 selects
 *      the axis' extent
 *  @param axis  the axis
 *  @param norm  ARR_FFT_..., optionally with ARR_COSINE_... added
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_idct(arr_array a, int32_t type, int64_t n, int32_t axis, int32_t norm,
                            arr_stream stream, arr_array *out);

/** Computes the discrete sine transform along an axis. Type 2: out[k] = 2 sum over j of a[j] sin(pi (2j+1)(k+1) / 2n).
 *  Type 1: 2 sum over j of a[j] sin(pi (j+1)(k+1) / (n+1)). Type 3: the sum of (-1)^k a[n-1] and 2 sum over the other j
 *  of a[j] sin(pi (j+1)(2k+1) / 2n). Type 4: 2 sum over j of a[j] sin(pi (2j+1)(2k+1) / 4n).
 *  @param a  the array
 *  @param type  type of the transform, 1 to 4
 *  @param n  number of elements to transform along the axis: the input is truncated or zero-padded to it; -1 selects
 *      the axis' extent
 *  @param axis  the axis
 *  @param norm  ARR_FFT_..., optionally with ARR_COSINE_... added
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_dst(arr_array a, int32_t type, int64_t n, int32_t axis, int32_t norm,
                           arr_stream stream, arr_array *out);

/** Computes the inverse of arr_dst of the same type and norm.
 *  @param a  the array
 *  @param type  type of the transform, 1 to 4
 *  @param n  number of elements to transform along the axis: the input is truncated or zero-padded to it; -1 selects
 *      the axis' extent
 *  @param axis  the axis
 *  @param norm  ARR_FFT_..., optionally with ARR_COSINE_... added
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_idst(arr_array a, int32_t type, int64_t n, int32_t axis, int32_t norm,
                            arr_stream stream, arr_array *out);

/** Computes the discrete cosine transform along several axes, one axis after the other.
 *  @param a  the array
 *  @param type  type of the transform along each axis, 1 to 4
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  number of elements to transform along each axis: the input is truncated or zero-padded
 *      to it; -1 selects the axis' extent; NULL selects -1 for every axis
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects the last naxes axes, or all if naxes is 0
 *  @param norm  ARR_FFT_..., optionally with ARR_COSINE_... added
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_dctn(arr_array a, int32_t type, int32_t naxes, const int64_t *s, const int32_t *axes,
                            int32_t norm, arr_stream stream, arr_array *out);

/** Computes the inverse of arr_dctn of the same type and norm.
 *  @param a  the array
 *  @param type  type of the transform along each axis, 1 to 4
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  number of elements to transform along each axis: the input is truncated or zero-padded
 *      to it; -1 selects the axis' extent; NULL selects -1 for every axis
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects the last naxes axes, or all if naxes is 0
 *  @param norm  ARR_FFT_..., optionally with ARR_COSINE_... added
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_idctn(arr_array a, int32_t type, int32_t naxes, const int64_t *s, const int32_t *axes,
                             int32_t norm, arr_stream stream, arr_array *out);

/** Computes the discrete sine transform along several axes, one axis after the other.
 *  @param a  the array
 *  @param type  type of the transform along each axis, 1 to 4
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  number of elements to transform along each axis: the input is truncated or zero-padded
 *      to it; -1 selects the axis' extent; NULL selects -1 for every axis
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects the last naxes axes, or all if naxes is 0
 *  @param norm  ARR_FFT_..., optionally with ARR_COSINE_... added
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_dstn(arr_array a, int32_t type, int32_t naxes, const int64_t *s, const int32_t *axes,
                            int32_t norm, arr_stream stream, arr_array *out);

/** Computes the inverse of arr_dstn of the same type and norm.
 *  @param a  the array
 *  @param type  type of the transform along each axis, 1 to 4
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  number of elements to transform along each axis: the input is truncated or zero-padded
 *      to it; -1 selects the axis' extent; NULL selects -1 for every axis
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects the last naxes axes, or all if naxes is 0
 *  @param norm  ARR_FFT_..., optionally with ARR_COSINE_... added
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_idstn(arr_array a, int32_t type, int32_t naxes, const int64_t *s, const int32_t *axes,
                             int32_t norm, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
