/* SPDX-License-Identifier: MIT */
/* fft.h - Fourier transforms of one and more dimensions, real and complex. */
#ifndef ARR_FFT_H
#define ARR_FFT_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The factor of a transform of n elements, or of n in all along several axes. */
#define ARR_FFT_BACKWARD 0 /* 1 forward, 1 / n backward */
#define ARR_FFT_ORTHO 1    /* 1 / sqrt(n) both ways */
#define ARR_FFT_FORWARD 2  /* 1 / n forward, 1 backward */

/* Results are complex64, or float32, of float16, bfloat16, float32 and complex64, and complex128 or float64 of
 * everything else; real ones of float16 and bfloat16 (arr_irfft and the like) have that type. They keep the order in
 * memory of the input. */

/** Fourier transform along an axis, out[k] = sum over j of a[j] * exp(-2 pi i j k / n).
 *  @param a  the array
 *  @param n  elements along the axis: more are left out, missing ones are 0; -1: as many as there are
 *  @param axis  the axis; negative values count from the end
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.fft, cupyx.scipy.fft.fft */
ARR_API arr_status arr_fft(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,
                           arr_array *out);

/** Inverse transform along an axis, out[j] = 1 / n * sum over k of a[k] * exp(2 pi i j k / n).
 *  @param a  the array
 *  @param n  elements along the axis: more are left out, missing ones are 0; -1: as many as there are
 *  @param axis  the axis; negative values count from the end
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.ifft, cupyx.scipy.fft.ifft */
ARR_API arr_status arr_ifft(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,
                            arr_array *out);

/** Transform of reals along an axis: the first n / 2 + 1 elements, of which the others are the conjugates.
 *  @param a  the array, of real numbers
 *  @param n  elements along the axis: more are left out, missing ones are 0; -1: as many as there are
 *  @param axis  the axis; negative values count from the end
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.rfft, cupyx.scipy.fft.rfft */
ARR_API arr_status arr_rfft(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,
                            arr_array *out);

/** Inverse of arr_rfft: reals from the first n / 2 + 1 elements along an axis. The imaginary part of the first
 *  counts as 0, and of even n that of the last.
 *  @param a  the array; missing elements are 0
 *  @param n  elements of the result along the axis; -1: 2 (m - 1) for the m there are
 *  @param axis  the axis; negative values count from the end
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.irfft, cupyx.scipy.fft.irfft */
ARR_API arr_status arr_irfft(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,
                             arr_array *out);

/** Transform along an axis of a signal whose spectrum is real, of which the first n / 2 + 1 elements are given.
 *  @param a  the array; missing elements are 0
 *  @param n  elements of the result along the axis; -1: 2 (m - 1) for the m there are
 *  @param axis  the axis; negative values count from the end
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.hfft, cupyx.scipy.fft.hfft */
ARR_API arr_status arr_hfft(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,
                            arr_array *out);

/** Inverse of arr_hfft: the first n / 2 + 1 elements of the signal with a real spectrum.
 *  @param a  the array, of real numbers
 *  @param n  elements along the axis: more are left out, missing ones are 0; -1: as many as there are
 *  @param axis  the axis; negative values count from the end
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.ihfft, cupyx.scipy.fft.ihfft */
ARR_API arr_status arr_ihfft(arr_array a, int64_t n, int32_t axis, int32_t norm, arr_stream stream,
                             arr_array *out);

/** Fourier transform along several axes.
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  elements along each axis: more are left out, missing ones are 0; -1: as many as there
 *    are; NULL: -1 everywhere
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects the last
 *      naxes, or all where naxes is 0
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.fftn, cupyx.scipy.fft.fftn,
 *    cupy.fft.fft2, cupyx.scipy.fft.fft2 */
ARR_API arr_status arr_fftn(arr_array a, int32_t naxes, const int64_t *s, const int32_t *axes, int32_t norm,
                            arr_stream stream, arr_array *out);

/** Inverse transform along several axes.
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  elements along each axis: more are left out, missing ones are 0; -1: as many as there
 *    are; NULL: -1 everywhere
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects the last
 *      naxes, or all where naxes is 0
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.ifftn, cupyx.scipy.fft.ifftn,
 *    cupy.fft.ifft2, cupyx.scipy.fft.ifft2 */
ARR_API arr_status arr_ifftn(arr_array a, int32_t naxes, const int64_t *s, const int32_t *axes, int32_t norm,
                             arr_stream stream, arr_array *out);

/** Transform of reals along several axes; along the last of them the first n / 2 + 1 elements.
 *  @param a  the array, of real numbers
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  elements along each axis: more are left out, missing ones are 0; -1: as many as there
 *    are; NULL: -1 everywhere
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects the last
 *      naxes, or all where naxes is 0
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.rfftn, cupyx.scipy.fft.rfftn,
 *    cupy.fft.rfft2, cupyx.scipy.fft.rfft2 */
ARR_API arr_status arr_rfftn(arr_array a, int32_t naxes, const int64_t *s, const int32_t *axes, int32_t norm,
                             arr_stream stream, arr_array *out);

/** Inverse of arr_rfftn: reals from the first n / 2 + 1 elements along the last of the axes.
 *  @param a  the array; missing elements are 0
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  elements of the result along each axis; -1: as many as there are, along the last axis 2
 *    (m - 1) for m; NULL: -1 everywhere
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects the last
 *      naxes, or all where naxes is 0
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.irfftn, cupyx.scipy.fft.irfftn,
 *    cupy.fft.irfft2, cupyx.scipy.fft.irfft2 */
ARR_API arr_status arr_irfftn(arr_array a, int32_t naxes, const int64_t *s, const int32_t *axes, int32_t norm,
                              arr_stream stream, arr_array *out);

/** Transform along several axes of a signal whose spectrum is real, of which the first n / 2 + 1 elements along
 *  the last of the axes are given.
 *  @param a  the array; missing elements are 0
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  elements of the result along each axis; -1: as many as there are, along the last axis 2
 *    (m - 1) for m; NULL: -1 everywhere
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects the last
 *      naxes, or all where naxes is 0
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.hfftn, cupyx.scipy.fft.hfft2 */
ARR_API arr_status arr_hfftn(arr_array a, int32_t naxes, const int64_t *s, const int32_t *axes, int32_t norm,
                             arr_stream stream, arr_array *out);

/** Inverse of arr_hfftn: the first n / 2 + 1 elements along the last of the axes of the signal with a real
 *  spectrum.
 *  @param a  the array, of real numbers
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] s  elements along each axis: more are left out, missing ones are 0; -1: as many as there
 *    are; NULL: -1 everywhere
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects the last
 *      naxes, or all where naxes is 0
 *  @param norm  ARR_FFT_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.ihfftn, cupyx.scipy.fft.ihfft2 */
ARR_API arr_status arr_ihfftn(arr_array a, int32_t naxes, const int64_t *s, const int32_t *axes, int32_t norm,
                              arr_stream stream, arr_array *out);

/** Frequencies of the results of arr_fft, in cycles per unit of the samples' distance; n elements: 0, 1, ... up to (n -
 *  1) / 2, then the negative ones, over n d.
 *  @param n  elements of the transform, 1 or more
 *  @param d  distance of the samples
 *  @param dtype  a float type; 0 for float64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.fftfreq, cupyx.scipy.fft.fftfreq */
ARR_API arr_status arr_fftfreq(int64_t n, double d, arr_dtype dtype, const arr_device *device,
                               arr_stream stream, arr_array *out);

/** Frequencies of the results of arr_rfft, in cycles per unit of the samples' distance; n / 2 + 1 elements: 0, 1, ...,
 *  over n d.
 *  @param n  elements of the transform, 1 or more
 *  @param d  distance of the samples
 *  @param dtype  a float type; 0 for float64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.rfftfreq, cupyx.scipy.fft.rfftfreq */
ARR_API arr_status arr_rfftfreq(int64_t n, double d, arr_dtype dtype, const arr_device *device,
                                arr_stream stream, arr_array *out);

/** Swaps the halves along axes, so that frequency 0 comes to the middle: element i goes to i + n / 2, modulo n.
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects all
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.fftshift, cupyx.scipy.fft.fftshift */
ARR_API arr_status arr_fftshift(arr_array a, int32_t naxes, const int32_t *axes, arr_stream stream,
                                arr_array *out);

/** The inverse of arr_fftshift, from which it differs where an extent is odd.
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects all
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.ifftshift, cupyx.scipy.fft.ifftshift */
ARR_API arr_status arr_ifftshift(arr_array a, int32_t naxes, const int32_t *axes, arr_stream stream,
                                 arr_array *out);

/** The least length from n on that transforms fast: one without prime factors above 11, or above 5 for reals.
 *  @param n  1 or more
 *  @param real  1: of a transform of reals; 0: of a complex one
 *  @param[out] length  the length
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_SHAPE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.next_fast_len */
ARR_API arr_status arr_next_fast_len(int64_t n, int32_t real, int64_t *length);

/** The plans that a device keeps for reuse. */
typedef struct arr_fft_cache_stats {
  int64_t struct_size; /* sizeof(arr_fft_cache_stats), set by the caller */
  int64_t hits;        /* plans that were there */
  int64_t misses;      /* that were made */
  int64_t plans;       /* kept now */
  int64_t bytes;       /* of these, as far as their libraries tell or it can be estimated */
  int64_t max_plans;   /* most plans kept; negative: no limit */
  int64_t max_bytes;   /* most bytes; negative: no limit */
} arr_fft_cache_stats;

/** Fills in the statistics of a device's plans.
 *  @param[in,null] device  whose (NULL: the host)
 *  @param[in,out] stats  struct_size is read, the rest written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.config.get_plan_cache, cupy.fft.config.show_plan_cache_info, cupy.fft.config.get_plan_cache_size,
 *    cupy.fft._cache.PlanCache, cupy.fft._cache.PlanCache.get_size, cupy.fft._cache.PlanCache.get_curr_size,
 *    cupy.fft._cache.PlanCache.get_memsize, cupy.fft._cache.PlanCache.get_curr_memsize,
 *    cupy.fft._cache.PlanCache.show_info, cupy.fft.config.get_plan_cache_max_memsize */
ARR_API arr_status arr_fft_cache_info(const arr_device *device, arr_fft_cache_stats *stats);

/** Limits the plans that a device keeps; those longest unused go at once. Plans in use stay until they are done.
 *  @param[in,null] device  whose (NULL: the host)
 *  @param max_plans  most plans; 0: none are kept; negative: no limit
 *  @param max_bytes  most bytes of them; negative: no limit
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.config.set_plan_cache_size, cupy.fft.config.set_plan_cache_max_memsize,
 *    cupy.fft._cache.PlanCache.set_size, cupy.fft._cache.PlanCache.set_memsize */
ARR_API arr_status arr_fft_cache_limit(const arr_device *device, int64_t max_plans, int64_t max_bytes);

/** The plans that a device keeps, the one used last first.
 *  @param[in,null] device  whose (NULL: the host)
 *  @param capacity  room at each of the following; 0 to ask for the number only
 *  @param[out,null,len=capacity] ids  what arr_fft_cache_drop takes, never given to another plan; may be NULL
 *  @param[out,null,len=capacity] kinds  ARR_FFT_C2C, ARR_FFT_R2C, ARR_FFT_C2R (arr/fft_plan.h), or -1: a table that
 *    transforms on the host share; may be NULL
 *  @param[out,null,len=capacity] reals  ARR_FLOAT32 or ARR_FLOAT64, of the numbers or of their parts; may be NULL
 *  @param[out,null,len=capacity*3] lengths  elements along each axis of one transform, 0 behind the last: the host
 *    plans a line at a time, cuFFT up to three axes; may be NULL
 *  @param[out,null,len=capacity] transforms  how many the plan makes at once; may be NULL
 *  @param[out,null,len=capacity] bytes  as in arr_fft_cache_info; may be NULL
 *  @param[out] count  the number of plans, also beyond the capacity
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft._cache.PlanCache.__iter__, cupy.fft._cache.PlanCache.show_info */
ARR_API arr_status arr_fft_cache_plans(const arr_device *device, int32_t capacity, int64_t *ids,
                                       int32_t *kinds, int32_t *reals, int64_t *lengths, int64_t *transforms,
                                       int64_t *bytes, int32_t *count);

/** Drops one of them. A plan in use stays until it is done.
 *  @param[in,null] device  whose (NULL: the host)
 *  @param id  of arr_fft_cache_plans; one that is not kept any more is ARR_E_ARGUMENT
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft._cache.PlanCache.__delitem__ */
ARR_API arr_status arr_fft_cache_drop(const arr_device *device, int64_t id);

/** Drops the plans that a device keeps.
 *  @param[in,null] device  whose (NULL: the host)
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.config.clear_plan_cache, cupy.fft._cache.PlanCache.clear */
ARR_API arr_status arr_fft_cache_clear(const arr_device *device);

/* What goes into making a plan on the host. */
#define ARR_FFT_ESTIMATE 0 /* rules of libarr's own: at once; what a process starts with */
#define ARR_FFT_MEASURE 1 /* the fastest of that and some ways of FFTW's: up to seconds for long transforms */
#define ARR_FFT_PATIENT 2 /* and many: up to minutes */

/** How plans are made from now on. A kept plan that less went into is made anew when it is next asked for, and a
 *  better one stays when less is asked: to have good plans, set ARR_FFT_MEASURE, run each transform once, and set
 *  ARR_FFT_ESTIMATE again. While one thread measures, others that measure wait. Where FFTW is not there, all plans are
 *  made by rules. (FFTW's flags.)
 *  @param[in,null] device  whose (NULL: the host); CUDA has ARR_FFT_ESTIMATE only
 *  @param effort  ARR_FFT_ESTIMATE, ARR_FFT_MEASURE, ARR_FFT_PATIENT
 *  @param[out,null] before  what it was; NULL: not wanted
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_fft_plan_effort(const arr_device *device, int32_t effort, int32_t *before);

/** What measured plans have taught, as text that another process on such a machine can start from.
 *  @param[in,null] device  whose (NULL: the host); CUDA has none
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the text, cut to what fits; NULL to ask for its length only
 *  @param[out,null] length  bytes of the whole text without the NUL; NULL: not wanted
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_fft_wisdom(const arr_device *device, int64_t capacity, char *text, int64_t *length);

/** Adds what arr_fft_wisdom has written to what is known: plans of which it tells need not be measured any more where
 *  arr_fft_plan_effort asks for it. Kept plans are dropped. A text of which a part is not of this version is an error;
 *  its other parts may count all the same.
 *  @param[in,null] device  whose (NULL: the host); CUDA has none
 *  @param text  as arr_fft_wisdom returns it, of the same version of FFTW
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_fft_wisdom_import(const arr_device *device, const char *text);

/** Forgets it; plans that are kept stay.
 *  @param[in,null] device  whose (NULL: the host); CUDA has none
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_fft_wisdom_forget(const arr_device *device);

#ifdef __cplusplus
}
#endif
#endif
