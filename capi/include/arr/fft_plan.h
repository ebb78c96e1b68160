/* SPDX-License-Identifier: MIT */
/* fft_plan.h - Fourier transforms that are planned ahead. */
#ifndef ARR_FFT_PLAN_H
#define ARR_FFT_PLAN_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A transform of arrays of one shape and type, contiguous in C order, on one device. What its libraries have planned
 * lives as long as it, apart from the device's cache (arr_fft_cache_info): running it looks nothing up there, and
 * clearing the cache takes nothing from it. Transforms without one, arr_fft and its kin, are as fast once the cache
 * has what they need, and take arrays as they lie. */
typedef struct arr_fft_plan_s *arr_fft_plan;

#define ARR_FFT_C2C 0 /* complex to complex, both ways (arr_fftn, arr_ifftn) */
#define ARR_FFT_R2C 1 /* forward, of reals, the last of the axes halved: n / 2 + 1 (arr_rfftn) */
#define ARR_FFT_C2R 2 /* backward, from that half to reals (arr_irfftn) */

/** Plans a transform. On the host with the effort that arr_fft_plan_effort has set.
 *  @param kind  ARR_FFT_C2C ...
 *  @param real  of the numbers or of their parts: ARR_FLOAT32, ARR_FLOAT64
 *  @param ndim  number of dimensions
 *  @param[in,len=ndim] shape  of the array, of the real one where there is one
 *  @param naxes  number of axes; 0 with axes NULL: all
 *  @param[in,null,len=naxes] axes  axes, each at most once; negative values count from the end; NULL selects the last
 *      naxes
 *  @param[in,null] device  where (NULL: the host)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNSUPPORTED, ARR_E_UNAVAILABLE,
 *      ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.get_fft_plan, cupyx.scipy.fftpack.get_fft_plan, cupy.cuda.cufft.Plan1d,
 *  cupy.cuda.cufft.PlanNd */
ARR_API arr_status arr_fft_plan_create(int32_t kind, arr_dtype real, int32_t ndim, const int64_t *shape,
                                       int32_t naxes, const int32_t *axes, const arr_device *device,
                                       arr_fft_plan *out);

/** Transforms a into dst, which are on the plan's device, of its shapes and types, contiguous in C order, and share no
 *  memory. Any number of threads and streams may run a plan at the same time.
 *  @param plan  the plan
 *  @param a  the array; only read
 *  @param[in,written] dst  written
 *  @param inverse  0: forward, 1: backward; ARR_FFT_R2C takes 0 and ARR_FFT_C2R takes 1
 *  @param norm  ARR_FFT_BACKWARD, ARR_FFT_ORTHO, ARR_FFT_FORWARD, as of arr_fft and arr_ifft
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.cufft.Plan1d.fft, cupy.cuda.cufft.PlanNd.fft, cupy.cuda.cufft.Plan1d.check_output_array,
 *    cupy.cuda.cufft.PlanNd.check_output_array */
ARR_API arr_status arr_fft_plan_execute(arr_fft_plan plan, arr_array a, arr_array dst, int32_t inverse,
                                        int32_t norm, arr_stream stream);

/** Transforms what a program makes of arrays, and writes what another makes of the transform: cuFFT's load and store
 * callbacks. Types are converted on the way, so samples of int16 and a window need no converted copy, and the squares
 * of a spectrum are written without it. On the host the three go over some rows of the first axis after the other,
 * which stay in the caches, unless that axis is transformed or a program has the index of an element; there each is
 * a pass of its own, through memory of the transform's size that is taken for the call. On CUDA cuFFT 12 takes both
 * programs as callbacks, which saves those passes: up to three axes, extents that are one batch for it, nothing being
 * captured, and a plan of cuFFT for each pair of programs in the device's cache (arr_fft_cache_limit), whose calls come
 * one after the other in whatever streams. A product and a sum of a program may then be rounded once. What cuFFT does
 * not take, and all with ARR_CUFFT_CALLBACKS=0, goes by passes; arr_fft_plan_info tells which way calls went.
 *  @param plan  the plan
 *  @param[in,null] load  what is transformed, of inputs 0 to nin - 1; NULL: in[0] itself, as in arr_fft_plan_execute
 *  @param load_node  the node of it; its value is converted to the plan's type
 *  @param nin  number of arrays, at least 1
 *  @param[in,len=nin] in  the inputs of load; they broadcast to the plan's shape
 *  @param[in,null] store  what is written, of the transform as input 0 and more as inputs 1 to nmore; NULL: the
 *      transform itself
 *  @param store_node  the node of it; its value is converted to dst's type
 *  @param nmore  number of further arrays, may be 0
 *  @param[in,null,len=nmore] more  these, each broadcasts to the transform's shape; NULL for none
 *  @param[in,written] dst  written: of the transform's shape; with store of any type and strides; shares no memory with
 *      what is read
 *  @param inverse  as in arr_fft_plan_execute
 *  @param norm  as there; store gets what is scaled
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fft.config.set_cufft_callbacks */
ARR_API arr_status arr_fft_plan_execute_fused(arr_fft_plan plan, arr_expr load, int32_t load_node,
                                              int32_t nin, const arr_array *in, arr_expr store,
                                              int32_t store_node, int32_t nmore, const arr_array *more,
                                              arr_array dst, int32_t inverse, int32_t norm,
                                              arr_stream stream);

/** A new array that a plan can write, of any content.
 *  @param plan  the plan
 *  @param[in,null] stream  the stream whose memory it takes (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.cufft.Plan1d.get_output_array, cupy.cuda.cufft.PlanNd.get_output_array */
ARR_API arr_status arr_fft_plan_output(arr_fft_plan plan, arr_stream stream, arr_array *out);

/** What a plan is, and what it holds. */
typedef struct arr_fft_plan_facts {
  int64_t struct_size; /* sizeof(arr_fft_plan_facts), set by the caller */
  int64_t kind;        /* ARR_FFT_C2C ... */
  int64_t real;        /* ARR_FLOAT32, ARR_FLOAT64 */
  int64_t ndim;        /* dimensions of its arrays */
  int64_t naxes;       /* of these transformed */
  int64_t plans;       /* that the libraries made for it */
  int64_t bytes;       /* of these: on CUDA their work areas, which are only taken while they run */
  int64_t callbacks;   /* calls of arr_fft_plan_execute_fused so far that were callbacks of cuFFT */
} arr_fft_plan_facts;

/** Fills in the facts of a plan.
 *  @param plan  the plan
 *  @param[in,out] facts  struct_size is read, the rest written
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_fft_plan_info(arr_fft_plan plan, arr_fft_plan_facts *facts);

/** Ends a plan. Work that it has begun goes on, and graphs that were captured keep what they need.
 *  @param[in,null] plan  may be NULL
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1 */
ARR_API arr_status arr_fft_plan_release(arr_fft_plan plan);

#ifdef __cplusplus
}
#endif
#endif
