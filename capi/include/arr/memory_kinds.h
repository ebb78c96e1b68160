/* SPDX-License-Identifier: MIT */
/* memory_kinds.h - memory that is more than bytes of a device: managed memory, which moves between host and
 * device; rows at a pitch; memory that other processes open. */
#ifndef ARR_MEMORY_KINDS_H
#define ARR_MEMORY_KINDS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------------- managed memory */

/** Whether the host and the array's device both reach its elements at arr_data's address: managed memory, by
 *  ARR_ALLOCATOR_MANAGED or wrapped, and all memory of the host. What a device enqueued must be waited for
 *  before the host looks.
 *  @param a  any array; of one on a device without elements the answer is no
 *  @param[out] managed  1 or 0
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_is_managed(arr_array a, int32_t *managed);

/** The device that an address belongs to, by the CUDA driver's word.
 *  @param data  an address, of anybody's memory
 *  @param[out] device  the GPU of its memory and of managed memory; the host for memory that is page-locked, or that
 *                      the driver has never seen, or where no GPU works
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.device.from_pointer */
ARR_API arr_status arr_memory_device(const void *data, arr_device *device);

/** Moves the managed memory of an array to where it will be used next, in stream order, so that the first use
 *  need not fetch it page by page. Values and addresses stay as they are. All bytes from the first element to
 *  the last are moved, those between them too. Nothing happens to arrays of the host.
 *  @param a  an array in managed memory, or of the host
 *  @param[in,null] device  where it will be used (NULL: the host)
 *  @param[in,null] stream  the stream of the array's device to work in (NULL: its default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT where the memory is not managed, ARR_E_UNSUPPORTED where the
 *          device does not share managed memory by pages or the driver is older than CUDA 12.2,
 *          ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.ManagedMemory.prefetch, cupy.cuda.runtime.memPrefetchAsync */
ARR_API arr_status arr_memory_prefetch(arr_array a, const arr_device *device, arr_stream stream);

#define ARR_ADVISE_READ_MOSTLY 1 /* advice: read far more often than written; each device may keep a copy */
#define ARR_ADVISE_NOT_READ_MOSTLY 2 /* advice: ends that */
#define ARR_ADVISE_PREFER 3          /* advice: the device is where it should lie */
#define ARR_ADVISE_NOT_PREFER 4      /* advice: ends that */
#define ARR_ADVISE_USED_BY 5         /* advice: the device uses it, and should reach it without faults */
#define ARR_ADVISE_NOT_USED_BY 6     /* advice: ends that */

/** Tells the driver how the managed memory of an array will be used. Nothing happens to arrays of the host.
 *  @param a  an array in managed memory, or of the host
 *  @param advice  ARR_ADVISE_...
 *  @param[in,null] device  the device that the advice is about (NULL: the host); of no account to _READ_MOSTLY
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT also where the memory is not managed, ARR_E_UNSUPPORTED where
 *          the device does not share managed memory by pages or the driver is older than CUDA 12.2,
 *          ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.ManagedMemory.advise, cupy.cuda.runtime.memAdvise */
ARR_API arr_status arr_memory_advise(arr_array a, int32_t advice, const arr_device *device);

/* -------------------------------------------------------------------------------------------- rows at a pitch */

/** Creates an uninitialised array in row-major order whose rows, along the last axis, each begin at a multiple
 *  of 512 bytes on a GPU, as cuMemAllocPitch would have it, and of 64 on the host. So kernels read every row
 *  from an aligned address. It is a strided array like any other: arr_strides tells the pitch in elements, and
 *  what lies between the rows belongs to nobody. With one dimension its beginning is aligned as a row's.
 *  @param dtype  element type
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_create_pitched(arr_dtype dtype, int32_t ndim, const int64_t *shape,
                                      const arr_device *device, arr_stream stream, arr_array *out);

/* ----------------------------------------------------------------------------------- other processes */

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
