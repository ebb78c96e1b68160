/* SPDX-License-Identifier: MIT */
/* managed.h - managed memory, which moves between host and device. */
#ifndef ARR_MANAGED_H
#define ARR_MANAGED_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Tests whether the host and the array's device can both reach its elements at arr_data's address. This holds for
 *  managed memory, made by ARR_ALLOCATOR_MANAGED or wrapped, and for all host memory. Wait for a device's work
 *  before the host reads the elements.
 *  @param a  any array; for one on a device without elements the result is 0
 *  @param[out] managed  true if it is
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_is_managed(arr_array a, bool *managed);

/** Returns the device that an address belongs to, as the CUDA driver reports it.
 *  @param data  any address
 *  @param[out] device  the GPU of its memory or of managed memory; the host for page-locked memory, for memory that the
 *      driver does not know, and if no GPU works
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_memory_device(const void *data, arr_device *device);

/** Moves the managed memory of an array, in stream order, to the device that will use it next, so that the first use
 *  need not fetch it page by page. Values and addresses do not change. All bytes from the first element to the last are
 *  moved, including bytes between elements. For arrays of the host the call does nothing.
 *  @param a  an array in managed memory, or of the host
 *  @param[in,null] device  the device that will use it; NULL selects the host
 *  @param[in,null] stream  a stream of the array's device; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT if the memory is not managed, ARR_E_UNSUPPORTED if the device does not
 *      page managed memory or the driver is older than CUDA 12.2, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_memory_prefetch(arr_array a, const arr_device *device, arr_stream stream);

#define ARR_ADVISE_READ_MOSTLY 1     /* advice: the memory is mostly read; each device may keep a copy */
#define ARR_ADVISE_NOT_READ_MOSTLY 2 /* advice: cancels ARR_ADVISE_READ_MOSTLY */
#define ARR_ADVISE_PREFER 3          /* advice: the memory should reside on the device */
#define ARR_ADVISE_NOT_PREFER 4      /* advice: cancels ARR_ADVISE_PREFER */
#define ARR_ADVISE_USED_BY 5 /* advice: the device uses the memory and should reach it without page faults */
#define ARR_ADVISE_NOT_USED_BY 6 /* advice: cancels ARR_ADVISE_USED_BY */

/** Advises the driver how the managed memory of an array will be used. For arrays of the host the call does nothing.
 *  @param a  an array in managed memory, or of the host
 *  @param advice  ARR_ADVISE_...
 *  @param[in,null] device  the device that the advice is about; NULL selects the host; ignored for
 *      ARR_ADVISE_READ_MOSTLY
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also if the memory is not managed), ARR_E_UNSUPPORTED if the device
 *      does not page managed memory or the driver is older than CUDA 12.2, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_memory_advise(arr_array a, int32_t advice, const arr_device *device);

#ifdef __cplusplus
}
#endif
#endif
