/* SPDX-License-Identifier: MIT */
/* ipc.h - arrays and events that other processes on this machine open. */
#ifndef ARR_IPC_H
#define ARR_IPC_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a handle with which another process on this machine can open the memory of an array on a GPU: there
 *  arr_ipc_import returns an array of the same dtype, shape and strides. The handle is plain bytes; send it by any
 *  means. The array must live until the other processes have released theirs, and writes must have finished before
 *  another process reads. Whole blocks of the device's memory are shared, so the other process can also reach memory
 *  next to the array. Arrays of ARR_ALLOCATOR_DIRECT have separate blocks.
 *  @param a  an array on a GPU with memory of libarr's pool, ARR_ALLOCATOR_DIRECT, or wrapped memory of cudaMalloc
 *  @param capacity  number of bytes at handle
 *  @param[out,null,bytes=capacity] handle  the handle; NULL to ask for the length only
 *  @param[out] length  number of bytes of the handle
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT if the capacity is too small, ARR_E_UNSUPPORTED for host memory,
 *      managed memory and memory of the driver's pool, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_ipc_export(arr_array a, int64_t capacity, void *handle, int64_t *length);

/** Opens an array of another process. The memory is closed with the last array that uses it. Only open handles from
 *  processes that you trust, because a handle's contents decide which memory is accessed.
 *  @param[in,bytes=length] handle  the bytes that arr_ipc_export wrote
 *  @param length  number of bytes of the handle
 *  @param[in,null] device  the GPU that has the memory, or one that can reach it; NULL selects CUDA device 0
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT if arr_ipc_export did not make the handle, the memory is gone, or it belongs to this
 *      process, ARR_E_UNSUPPORTED for the host, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync may */
ARR_API arr_status arr_ipc_import(const void *handle, int64_t length, const arr_device *device,
                                  arr_array *out);

/** Writes a handle with which another process on this machine can open an event. Both processes then share the
 *  event, which either may record and wait for, so that a stream of one process can wait for the work of the other.
 *  The event must live until the other processes have released theirs.
 *  @param event  an event of a GPU, made with ARR_EVENT_SHARED
 *  @param capacity  number of bytes at handle
 *  @param[out,null,bytes=capacity] handle  the handle; NULL to ask for the length only
 *  @param[out] length  number of bytes of the handle
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT if the capacity is too small or the event was created without
 *      ARR_EVENT_SHARED, ARR_E_UNSUPPORTED for an event of the host, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_ipc_export_event(arr_event event, int64_t capacity, void *handle, int64_t *length);

/** Opens an event of another process.
 *  @param[in,bytes=length] handle  the bytes that arr_ipc_export_event wrote
 *  @param length  number of bytes of the handle
 *  @param[in,null] device  the GPU of the event; NULL selects CUDA device 0
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT if arr_ipc_export_event did not make the handle, the event is gone, or it belongs to
 *      this process, ARR_E_UNSUPPORTED for the host, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_ipc_import_event(const void *handle, int64_t length, const arr_device *device,
                                        arr_event *out);

#ifdef __cplusplus
}
#endif
#endif
