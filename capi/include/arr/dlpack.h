/* SPDX-License-Identifier: MIT */
/* dlpack.h - zero-copy interchange by DLPack 1.x and the older unversioned struct. */
#ifndef ARR_DLPACK_H
#define ARR_DLPACK_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Forward declarations only: include any dlpack.h of your own before or after. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

#define ARR_DLPACK_COPY 1     /* flag: export a copy, owned by the consumer alone */
#define ARR_DLPACK_READONLY 2 /* flag: the imported array may not be written */

/** Exports as a versioned DLPack tensor that shares the memory. The consumer calls its deleter once, from any
 *  thread. Read-only arrays carry the read-only flag.
 *  @param a  the array
 *  @param consumer_stream  CUDA stream token: -1 no synchronisation, 1 legacy default, 2 per-thread default, else a
 *      CUstream; 0 is an error; -1 on the host
 *  @param flags  0 or ARR_DLPACK_COPY
 *  @param[out] out  owned by the caller until its deleter is called
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync may   @threads any   @since 0.1
 *  @cupy cupy.ndarray.__dlpack__, interop: DLPack export (__dlpack__, versioned 1.x, max_version, dl_device CPU,
 *  copy, stream) */
ARR_API arr_status arr_to_dlpack(arr_array a, int64_t consumer_stream, int32_t flags,
                                 struct DLManagedTensorVersioned **out);

/** Exports as an unversioned DLPack tensor. It cannot say read-only, so read-only arrays are refused unless copied.
 *  @param a  the array
 *  @param consumer_stream  CUDA stream token: -1 no synchronisation, 1 legacy default, 2 per-thread default, else a
 *      CUstream; 0 is an error; -1 on the host
 *  @param flags  0 or ARR_DLPACK_COPY
 *  @param[out] out  owned by the caller until its deleter is called
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync may   @threads any   @since 0.1
 *  @cupy cupy.ndarray.toDlpack */
ARR_API arr_status arr_to_dlpack_legacy(arr_array a, int64_t consumer_stream, int32_t flags,
                                        struct DLManagedTensor **out);

/** Imports a versioned DLPack tensor without a copy. Takes ownership on success only; but of a tensor of
 *  another major version the deleter is called and nothing else of it is read. Metadata is not trusted,
 *  the data pointer is.
 *  @param t  the tensor; its deleter is called once after the last use of the array and its views
 *  @param ready_stream  stream whose work must be done first; token as in arr_to_dlpack
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_FORMAT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNAVAILABLE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.from_dlpack, interop: DLPack import (from_dlpack; CPU tensor copy) */
ARR_API arr_status arr_from_dlpack(struct DLManagedTensorVersioned *t, int64_t ready_stream, arr_array *out);

/** Imports an unversioned DLPack tensor without a copy. Takes ownership on success only.
 *  @param t  the tensor; its deleter is called once after the last use of the array and its views
 *  @param ready_stream  stream whose work must be done first; token as in arr_to_dlpack
 *  @param flags  0 or ARR_DLPACK_READONLY: what the struct cannot say
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_FORMAT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNAVAILABLE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.fromDlpack */
ARR_API arr_status arr_from_dlpack_legacy(struct DLManagedTensor *t, int64_t ready_stream, int32_t flags,
                                          arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
