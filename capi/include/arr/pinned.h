/* SPDX-License-Identifier: MIT */
/* pinned.h - page-locked memory of the host: arrays in it, memory of the caller, and its pool. */
#ifndef ARR_PINNED_H
#define ARR_PINNED_H
#include "arr/base.h"
#include "arr/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARR_PINNED_MAPPED 1 /* flag: devices may use the memory in place, see arr_pinned_device_data */
#define ARR_PINNED_WRITE_COMBINED 2 /* flag: faster for a GPU to read, very slow for the host to read */
#define ARR_PINNED_READ_ONLY 4      /* flag of arr_pinned_register: devices will not write to the memory */
#define ARR_PINNED_REQUIRED 8       /* flag of arr_pinned_create: an error if there is no GPU */
#define ARR_PINNED_ZEROED 16        /* flag of arr_pinned_create: all bytes are 0 */

/** Creates an array on the host in memory that the CUDA driver has page-locked for every GPU. It is uninitialised
 *  unless ARR_PINNED_ZEROED is given. Copies to and from devices are faster, and copies by arr_memory_copy with
 *  ARR_COPY_ASYNC run in parallel with the host's work. In all other respects it is an array of the host.
 *  Page-locked memory has a separate pool, to which arrays return it. If no GPU works the array has ordinary memory,
 *  as arr_is_pinned shows, and so has an array without elements. Wait for asynchronous copies by arr_memory_copy
 *  before you release the array, because the next array may reuse the memory at once.
 *  @param dtype  the dtype
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param flags  0, or a sum of ARR_PINNED_MAPPED, ARR_PINNED_WRITE_COMBINED, ARR_PINNED_REQUIRED and ARR_PINNED_ZEROED
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY if the limit of arr_pinned_limit or of lockable memory is
 *      reached, ARR_E_ARGUMENT, ARR_E_LOST, ARR_E_UNAVAILABLE with ARR_PINNED_REQUIRED
 *  @sync may */
ARR_API arr_status arr_pinned_create(arr_dtype dtype, int32_t ndim, const int64_t *shape, int32_t order,
                                     int32_t flags, arr_array *out);

/** Tests whether the memory of an array of the host is page-locked: by arr_pinned_create, by arr_pinned_register, or
 *  by other code that asked the CUDA driver. The call loads the CUDA module.
 *  @param a  any array; for one on a device, or without elements, the result is 0
 *  @param[out] pinned  true if the memory is pinned; false if no GPU works
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_is_pinned(arr_array a, bool *pinned);

/** Returns the address at which a device sees the first element of an array in page-locked memory. The memory must
 *  have been created or registered with ARR_PINNED_MAPPED; kernels use the address to read or write the host's
 *  memory in place. The address is valid as long as the memory. The caller must order the device's work and the
 *  host's.
 *  @param a  an array of the host with one element or more
 *  @param[in,null] device  the CUDA device that will use the memory; NULL selects CUDA device 0
 *  @param[out] data  the address on the device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT if the memory is not page-locked or not mapped, ARR_E_UNAVAILABLE,
 *      ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_pinned_device_data(arr_array a, const arr_device *device, void **data);

/** Page-locks memory of the caller for every GPU until arr_pinned_unregister. Unregister the memory before you return
 *  it to the system.
 *  @param[in,out] data  the first byte
 *  @param bytes  number of bytes, 1 or more; the system locks all pages that they touch
 *  @param flags  0, or a sum of ARR_PINNED_MAPPED and ARR_PINNED_READ_ONLY; not every device supports the latter
 *  @return ARR_OK, ARR_E_ARGUMENT (also if a part is already locked), ARR_E_MEMORY, ARR_E_UNAVAILABLE if no GPU works,
 *      ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_LOST
 *  @sync may */
ARR_API arr_status arr_pinned_register(void *data, int64_t bytes, int32_t flags);

/** Unlocks memory that arr_pinned_register has locked. Wait for asynchronous copies first.
 *  @param[in,out] data  the address that was registered
 *  @return ARR_OK, ARR_E_ARGUMENT if it was not registered, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync may */
ARR_API arr_status arr_pinned_unregister(void *data);

/** Returns the statistics of the pool of page-locked memory. There is one pool for all devices.
 *  @param[in,out] stats  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_pinned_info(arr_memory_pool_stats *stats);

/** Limits how much memory of the pool of page-locked memory may be in use.
 *  @param bytes  the limit in bytes; 0 for no limit, the initial value
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_pinned_limit(int64_t bytes);

/** Selects functions of the caller as the allocator of page-locked memory, as arr_memory_set_allocator_functions
 *  does for a device. They are called even if no GPU works, they do not get the flags of arr_pinned_create, and they
 *  get their memory back when its array is released: the pool does not cache it.
 *  @param[in,null] allocate  called as allocate(ctx, bytes, 0, NULL, where to write the address); the address must
 *      be a multiple of 256; returns 0, or another status if it has no memory; NULL selects the driver, the initial
 *      allocator
 *  @param[in,null] release  called as release(ctx, address, bytes, 0, NULL), with the bytes of the allocation
 *  @param[in,null] drop  called once as drop(ctx) when the functions have been replaced and all their memory has been
 *      released; may be NULL
 *  @param[in,null] ctx  passed to all three
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY; on failure nothing changes and drop is not called
 *  @sync no */
ARR_API arr_status arr_pinned_set_allocator_functions(
    int32_t (*allocate)(void *ctx, int64_t bytes, int32_t device_index, void *stream, void **data),
    void (*release)(void *ctx, void *data, int64_t bytes, int32_t device_index, void *stream),
    void (*drop)(void *ctx), void *ctx);

/** Returns the page-locked memory that the pool has cached to the driver.
 *  @return ARR_OK
 *  @sync may */
ARR_API arr_status arr_pinned_trim(void);

#ifdef __cplusplus
}
#endif
#endif
