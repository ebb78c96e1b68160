/* SPDX-License-Identifier: MIT */
/* dlpack.h - exchanges arrays without a copy by DLPack 1.x and its older unversioned struct. */
#ifndef ARR_DLPACK_H
#define ARR_DLPACK_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* These are forward declarations only: you may include your own dlpack.h before or after this header. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

#define ARR_DLPACK_COPY 1     /* flag: exports a copy that belongs to the consumer alone */
#define ARR_DLPACK_READONLY 2 /* flag: the imported array is read-only */

/** Exports an array as a versioned DLPack tensor that shares the memory. The consumer calls the tensor's deleter once,
 *  from any thread. Read-only arrays carry the read-only flag.
 *  @param a  the array
 *  @param consumer_stream  CUDA stream token: -1 no synchronisation, 1 legacy default, 2 per-thread default, else a
 *      CUstream; 0 is an error; on the host only -1
 *  @param flags  0 or ARR_DLPACK_COPY
 *  @param[out] out  the tensor; it belongs to the caller until its deleter is called
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync may */
ARR_API arr_status arr_to_dlpack(arr_array a, int64_t consumer_stream, int32_t flags,
                                 struct DLManagedTensorVersioned **out);

/** Exports an array as an unversioned DLPack tensor. The struct has no read-only flag, so read-only arrays are an error
 *  unless the flags ask for a copy.
 *  @param a  the array
 *  @param consumer_stream  CUDA stream token: -1 no synchronisation, 1 legacy default, 2 per-thread default, else a
 *      CUstream; 0 is an error; on the host only -1
 *  @param flags  0 or ARR_DLPACK_COPY
 *  @param[out] out  the tensor; it belongs to the caller until its deleter is called
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync may */
ARR_API arr_status arr_to_dlpack_legacy(arr_array a, int64_t consumer_stream, int32_t flags,
                                        struct DLManagedTensor **out);

/** Imports a versioned DLPack tensor without a copy. The call takes ownership on success only. For a tensor of another
 *  major version it calls the deleter and reads nothing else. It checks the metadata, but it trusts the data pointer.
 *  @param t  the tensor; its deleter is called once after the last use of the array and of its views
 *  @param ready_stream  the stream whose work must finish first; tokens as in arr_to_dlpack
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_FORMAT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNAVAILABLE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_from_dlpack(struct DLManagedTensorVersioned *t, int64_t ready_stream, arr_array *out);

/** Imports an unversioned DLPack tensor without a copy. The call takes ownership on success only.
 *  @param t  the tensor; its deleter is called once after the last use of the array and of its views
 *  @param ready_stream  the stream whose work must finish first; tokens as in arr_to_dlpack
 *  @param flags  0 or ARR_DLPACK_READONLY; the struct itself has no such flag
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_FORMAT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNAVAILABLE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_from_dlpack_legacy(struct DLManagedTensor *t, int64_t ready_stream, int32_t flags,
                                          arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
