/* SPDX-License-Identifier: MIT */
/* ipc.h - arrays and events that other processes on this machine open. */
#ifndef ARR_IPC_H
#define ARR_IPC_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a handle by which another process on this machine opens the memory of an array on a GPU:
 *  arr_ipc_import returns an array of the same type, shape and strides there. The handle is bytes to send by any
 *  means. The array must live until the others have released theirs, and who writes must be waited for before
 *  the others read. Sharing is by whole pieces of the device's memory: the other process can reach what lies
 *  beside the array. ARR_ALLOCATOR_DIRECT gives arrays pieces of their own.
 *  @param a  an array on a GPU with memory of libarr's pool, ARR_ALLOCATOR_DIRECT, or wrapped memory of
 *            cudaMalloc
 *  @param capacity  bytes at handle
 *  @param[out,null,bytes=capacity] handle  the handle; NULL to ask for the length only
 *  @param[out] length  bytes of the handle
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT where the capacity is too small, ARR_E_UNSUPPORTED for memory
 *          of the host, managed memory and that of the driver's pool, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.ipcGetMemHandle */
ARR_API arr_status arr_ipc_export(arr_array a, int64_t capacity, void *handle, int64_t *length);

/** Opens an array of another process. It is closed with the last array that uses its memory. Only open handles
 *  from processes that you trust: they say what is where.
 *  @param[in,bytes=length] handle  what arr_ipc_export wrote
 *  @param length  bytes of it
 *  @param[in,null] device  the GPU that the memory is on, or one that reaches it (NULL: CUDA device 0)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT where it is no such handle, its memory is gone, or it is this process's own,
 *          ARR_E_UNSUPPORTED for the host, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync may   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.ipcOpenMemHandle, cupy.cuda.runtime.ipcCloseMemHandle */
ARR_API arr_status arr_ipc_import(const void *handle, int64_t length, const arr_device *device,
                                  arr_array *out);

/** Writes a handle by which another process on this machine opens an event: there and here the same mark, which
 *  either may record and wait for. So one process waits, in a stream, for what another writes. The event must live
 *  until the others have released theirs.
 *  @param event  an event of a GPU, made with ARR_EVENT_SHARED
 *  @param capacity  bytes at handle
 *  @param[out,null,bytes=capacity] handle  the handle; NULL to ask for the length only
 *  @param[out] length  bytes of the handle
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT where the capacity is too small or the event was not made to be shared,
 *          ARR_E_UNSUPPORTED for an event of the host, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.ipcGetEventHandle, interop: IPC memory/event handles */
ARR_API arr_status arr_ipc_export_event(arr_event event, int64_t capacity, void *handle, int64_t *length);

/** Opens an event of another process.
 *  @param[in,bytes=length] handle  what arr_ipc_export_event wrote
 *  @param length  bytes of it
 *  @param[in,null] device  the GPU that the event is of (NULL: CUDA device 0)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT where it is no such handle, the event is gone, or it is this process's own,
 *          ARR_E_UNSUPPORTED for the host, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.ipcOpenEventHandle */
ARR_API arr_status arr_ipc_import_event(const void *handle, int64_t length, const arr_device *device,
                                        arr_event *out);

#ifdef __cplusplus
}
#endif
#endif
