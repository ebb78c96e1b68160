/* SPDX-License-Identifier: MIT */
/* managed.h - managed memory, which moves between host and device. */
#ifndef ARR_MANAGED_H
#define ARR_MANAGED_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
