/* SPDX-License-Identifier: MIT */
/* fft.h - Fourier transforms of one and more dimensions, real and complex. */
#ifndef ARR_FFT_H
#define ARR_FFT_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Norm: the factor of a transform of n elements; along several axes n is the product of their extents. */
#define ARR_FFT_BACKWARD 0 /* 1 forward, 1 / n backward */
#define ARR_FFT_ORTHO 1    /* 1 / sqrt(n) both ways */
#define ARR_FFT_FORWARD 2  /* 1 / n forward, 1 backward */

/* Results are complex64 or float32 for float16, bfloat16, float32 and complex64, and complex128 or float64 for
 * all other types. Real results of float16 and bfloat16 along one axis (arr_irfft and other functions with real
 * results) keep that type; along several axes they are float32. Results keep the input's order in memory. */

/** Computes the Fourier transform along an axis, out[k] = sum over j of a[j] * exp(-2 pi i j k / n).
 *  @param a  the array
 *  @param n  number of elements to transform along the axis: the input is truncated or zero-padded to it; -1 selects
 *      the axis' extent
 *  @param axis  the axis
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_fft(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,
                           arr_array *out);

/** Computes the inverse transform along an axis, out[j] = 1 / n * sum over k of a[k] * exp(2 pi i j k / n).
 *  @param a  the array
 *  @param n  number of elements to transform along the axis: the input is truncated or zero-padded to it; -1 selects
 *      the axis' extent
 *  @param axis  the axis
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_ifft(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,
                            arr_array *out);

/** Computes the transform of real numbers along an axis: its first n / 2 + 1 elements. The remaining elements would be
 *  their conjugates.
 *  @param a  the array, real
 *  @param n  number of elements to transform along the axis: the input is truncated or zero-padded to it; -1 selects
 *      the axis' extent
 *  @param axis  the axis
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_rfft(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,
                            arr_array *out);

/** Computes the inverse of arr_rfft: n real numbers from the first n / 2 + 1 elements along an axis. The imaginary part
 *  of the first element is ignored and, for even n, that of the last.
 *  @param a  the array; missing elements are 0
 *  @param n  number of elements of the result along the axis; -1 selects 2 (m - 1) for m elements of a
 *  @param axis  the axis
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_irfft(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,
                             arr_array *out);

/** Computes the transform along an axis of a signal whose spectrum is real. The first n / 2 + 1 elements of the signal
 *  are given.
 *  @param a  the array; missing elements are 0
 *  @param n  number of elements of the result along the axis; -1 selects 2 (m - 1) for m elements of a
 *  @param axis  the axis
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_hfft(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,
                            arr_array *out);

/** Computes the inverse of arr_hfft: the first n / 2 + 1 elements of the signal with a real spectrum.
 *  @param a  the array, real
 *  @param n  number of elements to transform along the axis: the input is truncated or zero-padded to it; -1 selects
 *      the axis' extent
 *  @param axis  the axis
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_ihfft(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,
                             arr_array *out);

/** Computes the Fourier transform along several axes.
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  number of elements to transform along each axis: the input is truncated or zero-padded
 *      to it; -1 selects the axis' extent; NULL selects -1 for every axis
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects the last naxes axes, or all if naxes is 0
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_fftn(arr_array a, int32_t naxes, const int64_t *s, const int32_t *axes, int32_t norm,
                            arr_stream stream, arr_array *out);

/** Computes the inverse transform along several axes.
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  number of elements to transform along each axis: the input is truncated or zero-padded
 *      to it; -1 selects the axis' extent; NULL selects -1 for every axis
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects the last naxes axes, or all if naxes is 0
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_ifftn(arr_array a, int32_t naxes, const int64_t *s, const int32_t *axes, int32_t norm,
                             arr_stream stream, arr_array *out);

/** Computes the transform of real numbers along several axes; along the last of these axes its first n / 2 + 1
 *  elements.
 *  @param a  the array, real
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  number of elements to transform along each axis: the input is truncated or zero-padded
 *      to it; -1 selects the axis' extent; NULL selects -1 for every axis
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects the last naxes axes, or all if naxes is 0
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_rfftn(arr_array a, int32_t naxes, const int64_t *s, const int32_t *axes, int32_t norm,
                             arr_stream stream, arr_array *out);

/** Computes the inverse of arr_rfftn: real numbers from the first n / 2 + 1 elements along the last of the axes.
 *  @param a  the array; missing elements are 0
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  number of elements of the result along each axis; -1 selects the axis' extent m, and 2
 *      (m - 1) for the last axis; NULL selects -1 for every axis
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects the last naxes axes, or all if naxes is 0
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_irfftn(arr_array a, int32_t naxes, const int64_t *s, const int32_t *axes, int32_t norm,
                              arr_stream stream, arr_array *out);

/** Computes the transform along several axes of a signal whose spectrum is real. The first n / 2 + 1 elements along the
 *  last of the axes are given.
 *  @param a  the array; missing elements are 0
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  number of elements of the result along each axis; -1 selects the axis' extent m, and 2
 *      (m - 1) for the last axis; NULL selects -1 for every axis
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects the last naxes axes, or all if naxes is 0
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_hfftn(arr_array a, int32_t naxes, const int64_t *s, const int32_t *axes, int32_t norm,
                             arr_stream stream, arr_array *out);

/** Computes the inverse of arr_hfftn: the first n / 2 + 1 elements, along the last of the axes, of the signal with a
 *  real spectrum.
 *  @param a  the array, real
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  number of elements to transform along each axis: the input is truncated or zero-padded
 *      to it; -1 selects the axis' extent; NULL selects -1 for every axis
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects the last naxes axes, or all if naxes is 0
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_ihfftn(arr_array a, int32_t naxes, const int64_t *s, const int32_t *axes, int32_t norm,
                              arr_stream stream, arr_array *out);

/** Returns the frequencies of the elements of arr_fft, in cycles per unit of the sample distance d: the n numbers 0, 1,
 *  ..., (n - 1) / 2 and then the negative ones, divided by n d.
 *  @param n  number of elements of the transform, 1 or more
 *  @param d  distance between samples
 *  @param dtype  the dtype, a float; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_fftfreq(int64_t n, double d, arr_dtype dtype, const arr_device *device,
                               arr_stream stream, arr_array *out);

/** Returns the frequencies of the elements of arr_rfft, in cycles per unit of the sample distance d: the n / 2 + 1
 *  numbers 0, 1, ..., divided by n d.
 *  @param n  number of elements of the transform, 1 or more
 *  @param d  distance between samples
 *  @param dtype  the dtype, a float; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_rfftfreq(int64_t n, double d, arr_dtype dtype, const arr_device *device,
                                arr_stream stream, arr_array *out);

/** Swaps the halves along axes, so that frequency 0 moves to the middle: element i moves to i + n / 2, modulo n.
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects all
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_fftshift(arr_array a, int32_t naxes, const int32_t *axes, arr_stream stream,
                                arr_array *out);

/** Computes the inverse of arr_fftshift. The two differ for odd extents.
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects all
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_ifftshift(arr_array a, int32_t naxes, const int32_t *axes, arr_stream stream,
                                 arr_array *out);

/** Returns the smallest length >= n that transforms fast: one without prime factors above 11, or above 5 for real
 *  transforms.
 *  @param n  1 or more
 *  @param real  true: for a transform of real numbers; false: for a complex transform
 *  @param[out] length  the length
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_SHAPE
 *  @sync no */
ARR_API arr_status arr_next_fast_len(int64_t n, bool real, int64_t *length);

/** Statistics of the plans that a device caches for reuse. */
typedef struct arr_fft_cache_stats {
  int64_t struct_size; /* sizeof(arr_fft_cache_stats); set by the caller */
  int64_t hits;        /* requests for which the cache had a plan */
  int64_t misses;      /* requests for which a plan was made */
  int64_t plans;       /* number of cached plans */
  int64_t bytes; /* bytes of these plans, as far as their libraries report them or they can be estimated */
  int64_t max_plans; /* largest number of plans; negative: no limit */
  int64_t max_bytes; /* largest number of bytes; negative: no limit */
} arr_fft_cache_stats;

/** Returns the statistics of a device's plans.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,out] stats  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_fft_cache_info(const arr_device *device, arr_fft_cache_stats *stats);

/** Limits the plans that a device caches. The least recently used plans above the limit are removed at once. Plans in
 *  use live until they are done.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param max_plans  largest number of plans; 0: no plan is cached; negative: no limit
 *  @param max_bytes  largest number of bytes of the plans; negative: no limit
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_fft_cache_limit(const arr_device *device, int64_t max_plans, int64_t max_bytes);

/** Lists the plans that a device caches, the most recently used first.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param capacity  number of entries at each of the following arrays; 0 to ask for the number of entries only
 *  @param[out,null,len=capacity] ids  identifiers for arr_fft_cache_drop, never reused; may be NULL
 *  @param[out,null,len=capacity] kinds  ARR_FFT_C2C, ARR_FFT_R2C, ARR_FFT_C2R (arr/fft_plan.h), or -1 for a table that
 *      transforms on the host share; may be NULL
 *  @param[out,null,len=capacity] reals  ARR_FLOAT32 or ARR_FLOAT64: type of the numbers or of their parts; may be NULL
 *  @param[out,null,len=capacity*3] lengths  number of elements along each axis of one transform, followed by zeros. The
 *      host plans one line at a time, cuFFT up to three axes; may be NULL
 *  @param[out,null,len=capacity] transforms  number of transforms that the plan computes at once; may be NULL
 *  @param[out,null,len=capacity] bytes  bytes of the plan, as in arr_fft_cache_info; may be NULL
 *  @param[out] count  number of plans; may be larger than the capacity
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_fft_cache_plans(const arr_device *device, int32_t capacity, int64_t *ids,
                                       int32_t *kinds, int32_t *reals, int64_t *lengths, int64_t *transforms,
                                       int64_t *bytes, int32_t *count);

/** Removes one plan from the cache. A plan in use lives until it is done.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param id  identifier from arr_fft_cache_plans; a plan that is not cached any more is ARR_E_ARGUMENT
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_fft_cache_drop(const arr_device *device, int64_t id);

/** Removes all plans that a device caches.
 *  @param[in,null] device  the device; NULL selects the host
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_fft_cache_clear(const arr_device *device);

/* Efforts for making a plan on the host. */
#define ARR_FFT_ESTIMATE 0 /* libarr's own rules: immediate; the default */
#define ARR_FFT_MEASURE 1  /* the fastest of libarr's plan and some of FFTW's: up to seconds */
#define ARR_FFT_PATIENT 2  /* the fastest of many of FFTW's plans: up to minutes */

/** Sets the effort with which plans are made from now on. A cached plan that was made with less effort is made again on
 *  its next use; a plan of more effort stays when the effort is lowered. To get good plans, set ARR_FFT_MEASURE, run
 *  each transform once, and set ARR_FFT_ESTIMATE again. While one thread measures, other threads that want to measure
 *  wait. Without FFTW all plans are made by libarr's rules. (The names are those of FFTW's flags.)
 *  @param[in,null] device  the device; NULL selects the host; CUDA supports ARR_FFT_ESTIMATE only
 *  @param effort  ARR_FFT_ESTIMATE, ARR_FFT_MEASURE, ARR_FFT_PATIENT
 *  @param[out,null] previous  the previous effort; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_fft_plan_effort(const arr_device *device, int32_t effort, int32_t *previous);

/** Returns the results of measured planning as text, so that another process on a similar machine can start from it.
 *  @param[in,null] device  the device; NULL selects the host; CUDA has no such text
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out,null] length  number of bytes of the whole text without the NUL; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_fft_wisdom(const arr_device *device, int64_t capacity, char *text, int64_t *length);

/** Adds a text from arr_fft_wisdom to the known results, so that arr_fft_plan_effort need not measure these plans
 *  again. All cached plans are removed. The call fails if a part of the text is of another version; the other parts
 *  may still take effect.
 *  @param[in,null] device  the device; NULL selects the host; CUDA has no such text
 *  @param text  a text from arr_fft_wisdom, of the same version of FFTW
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_fft_wisdom_import(const arr_device *device, const char *text);

/** Forgets all results of measured planning. Cached plans stay.
 *  @param[in,null] device  the device; NULL selects the host; CUDA has no such text
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_fft_wisdom_forget(const arr_device *device);

#ifdef __cplusplus
}
#endif
#endif
