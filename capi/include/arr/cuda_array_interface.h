/* SPDX-License-Identifier: MIT */
/* cuda_array_interface.h - exchanges GPU arrays by __cuda_array_interface__ (Numba, CuPy, RAPIDS). */
#ifndef ARR_CUDA_ARRAY_INTERFACE_H
#define ARR_CUDA_ARRAY_INTERFACE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The entries of __cuda_array_interface__, version 3. Zero everything, then set struct_size. */
typedef struct arr_cuda_array_interface {
  int64_t struct_size;    /* sizeof(arr_cuda_array_interface) */
  void *data;             /* address of element (0,..,0); NULL for an array without elements */
  const int64_t *shape;   /* ndim extents */
  const int64_t *strides; /* ndim strides in bytes; NULL: row-major */
  const char *typestr;    /* element type, such as "<f4", NUL-terminated */
  int64_t stream;         /* waits for: 0 nothing, 1 legacy default, 2 per-thread default, else a CUstream */
  int32_t ndim;           /* entries at shape and strides */
  int32_t readonly;       /* 1: the elements must not be written */
} arr_cuda_array_interface;

/** Exports an array on a GPU without a copy. shape and strides point into the array; they and the memory are valid
 *  while the handle lives.
 *  @param a  the array
 *  @param consumer_stream  the stream of the export: it waits for the work on the array; 1 legacy default, 2 per-thread
 *      default, else a CUstream; 0: the call waits, and the export has no stream
 *  @param[in,out] out  filled in; its struct_size must be set
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT also for an array on the host, ARR_E_DTYPE for bfloat16, ARR_E_DEVICE
 *  @sync if consumer_stream is 0 */
ARR_API arr_status arr_to_cuda_array_interface(arr_array a, int64_t consumer_stream,
                                               arr_cuda_array_interface *out);

/** Imports an array on a GPU without a copy. Work on the array waits for the stream of the struct. The shape, strides
 *  and type are checked, but the address is trusted.
 *  @param in  the struct; it is not used after the call
 *  @param[in,null] device  the GPU that the memory is on; NULL selects cuda:0
 *  @param[in,null] drop  called once as drop(ctx) after the last use, from any thread; may be NULL
 *  @param[in,null] ctx  passed to drop
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_from_cuda_array_interface(const arr_cuda_array_interface *in, const arr_device *device,
                                                 void (*drop)(void *ctx), void *ctx, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
