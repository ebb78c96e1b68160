/* SPDX-License-Identifier: MIT */
/* fft_plan.h - Fourier transforms that are planned in advance. */
#ifndef ARR_FFT_PLAN_H
#define ARR_FFT_PLAN_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A plan transforms arrays of one shape and type, contiguous in C order, on one device. The libraries' plans
 * inside it live as long as the plan itself, independent of the device's cache (arr_fft_cache_info): running a
 * plan does not look up the cache, and clearing the cache does not affect the plan. Transforms without a plan,
 * such as arr_fft, are as fast once the cache has the plans they need, and they take arrays of any strides. */
typedef struct arr_fft_plan_s *arr_fft_plan;

#define ARR_FFT_C2C 0 /* complex to complex, both directions (arr_fftn, arr_ifftn) */
#define ARR_FFT_R2C 1 /* forward, of real numbers; the last of the axes gets n / 2 + 1 elements (arr_rfftn) */
#define ARR_FFT_C2R 2 /* backward, from that half to real numbers (arr_irfftn) */

/** Plans a transform, on the host with the effort that arr_fft_plan_effort has set.
 *  @param kind  ARR_FFT_C2C, ARR_FFT_R2C or ARR_FFT_C2R
 *  @param real  type of the numbers or of their parts: ARR_FLOAT32, ARR_FLOAT64
 *  @param ndim  number of dimensions
 *  @param[in,len=ndim] shape  extents of the array; for R2C and C2R those of the real array
 *  @param naxes  number of axes; 0 with axes NULL selects all
 *  @param[in,null,len=naxes] axes  axes, each at most once; NULL selects the last naxes axes
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_UNAVAILABLE,
 *      ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_fft_plan_create(int32_t kind, arr_dtype real, int32_t ndim, const int64_t *shape,
                                       int32_t naxes, const int32_t *axes, const arr_device *device,
                                       arr_fft_plan *out);

/** Transforms a into dst. Both are on the plan's device, have its shapes and dtypes, are contiguous in C order and
 *  share no memory. Several threads and streams may run a plan at the same time.
 *  @param plan  the plan
 *  @param a  the array; it is only read
 *  @param[in,written] dst  the destination
 *  @param inverse  false: forward; true: backward. ARR_FFT_R2C takes false, ARR_FFT_C2R true
 *  @param norm  ARR_FFT_BACKWARD, ARR_FFT_ORTHO, ARR_FFT_FORWARD, as for arr_fft and arr_ifft
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_fft_plan_execute(arr_fft_plan plan, arr_array a, arr_array dst, bool inverse,
                                        int32_t norm, arr_stream stream);

/** Transforms the values of a program and passes the results through another program, like cuFFT's load and store
 *  callbacks. Types are converted on the way: samples of int16 and a window need no converted copy, and the squares
 *  of a spectrum are written without storing the spectrum.
 *
 *  On the host the three steps process a few rows of the first axis at a time, which stay in the caches. If that
 *  axis is transformed, or a program uses an element's index, each step is a separate pass with a temporary of the
 *  transform's size.
 *
 *  On CUDA, cuFFT 12 accepts both as callbacks, which saves those passes. This needs up to three axes,
 *  extents that form one batch for cuFFT, and a stream that is not being captured. The device's cache
 *  (arr_fft_cache_limit) then holds one cuFFT plan per pair of programs, and calls with the same plan run one after
 *  the other in all streams. A product and a sum in a program may then be rounded once. All other cases, and all
 *  cases with ARR_CUFFT_CALLBACKS=0, use passes; arr_fft_plan_info counts the calls that used callbacks.
 *  @param plan  the plan
 *  @param[in,null] load  the program that makes the values to transform, with inputs 0 to nin - 1; NULL transforms
 *      in[0] itself, as in arr_fft_plan_execute
 *  @param load_node  the result node of load; its value is converted to the plan's type
 *  @param nin  number of arrays, at least 1
 *  @param[in,len=nin] in  the inputs of load; they broadcast to the plan's shape
 *  @param[in,null] store  the program that makes the values to write, with the transform as input 0 and further arrays
 *      as inputs 1 to nmore; NULL writes the transform itself
 *  @param store_node  the result node of store; its value is converted to dst's type
 *  @param nmore  number of further arrays, 0 or more
 *  @param[in,null,len=nmore] more  the further arrays; each broadcasts to the transform's shape; may be NULL when there
 *      are none
 *  @param[in,written] dst  the destination, of the transform's shape; with store it may have any type and strides; it
 *      shares no memory with arrays that are read
 *  @param inverse  as in arr_fft_plan_execute
 *  @param norm  as in arr_fft_plan_execute; store gets the scaled values
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_fft_plan_execute_fused(arr_fft_plan plan, arr_expr load, int32_t load_node,
                                              int32_t nin, const arr_array *in, arr_expr store,
                                              int32_t store_node, int32_t nmore, const arr_array *more,
                                              arr_array dst, bool inverse, int32_t norm, arr_stream stream);

/** Creates an array of undefined content to which a plan can write.
 *  @param plan  the plan
 *  @param[in,null] stream  the stream in which its memory is used; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_fft_plan_output(arr_fft_plan plan, arr_stream stream, arr_array *out);

/** Properties of a plan, and the memory that it holds. */
typedef struct arr_fft_plan_properties {
  int64_t struct_size; /* sizeof(arr_fft_plan_properties); set by the caller */
  int64_t kind;        /* ARR_FFT_C2C, ARR_FFT_R2C or ARR_FFT_C2R */
  int64_t real;        /* ARR_FLOAT32 or ARR_FLOAT64 */
  int64_t ndim;        /* number of dimensions of its arrays */
  int64_t naxes;       /* number of transformed axes */
  int64_t plans;       /* number of plans that the libraries made for it */
  int64_t bytes;       /* bytes of these plans; on CUDA of their work areas during a run */
  int64_t callbacks;   /* number of calls of arr_fft_plan_execute_fused so far that used callbacks of cuFFT */
} arr_fft_plan_properties;

/** Returns the properties of a plan.
 *  @param plan  the plan
 *  @param[in,out] properties  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_fft_plan_info(arr_fft_plan plan, arr_fft_plan_properties *properties);

/** Releases a plan. Running work continues, and captured graphs keep what they need.
 *  @param[in,null] plan  may be NULL
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_fft_plan_release(arr_fft_plan plan);

#ifdef __cplusplus
}
#endif
#endif
