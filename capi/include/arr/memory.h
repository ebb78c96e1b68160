/* SPDX-License-Identifier: MIT */
/* memory.h - memory of a device: statistics and limits of the pool that arrays come from, who is told of
 * allocations, bytes by address.
 *
 * Each device has a pool. What arrays give back is cached by size for the stream that used it last, which gets
 * it again without a wait; other streams get it when an event says that the old one is through with it. When
 * nothing that is cached fits, the pool joins its free pieces, asks the system, waits for work that still holds
 * memory, gives back whole pieces, and only then fails with ARR_E_MEMORY and a line that has the numbers. */
#ifndef ARR_MEMORY_H
#define ARR_MEMORY_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------ the pool */

/** Memory of a device that libarr's pool has. */
typedef struct arr_memory_stats {
  int64_t struct_size; /* sizeof(arr_memory_stats), set by the caller */
  int64_t in_use;      /* bytes given out */
  int64_t cached;      /* bytes that the pool has for reuse */
  int64_t peak;        /* most bytes in use so far */
  int64_t limit;       /* most bytes in use allowed; 0: no limit */
  int64_t total;       /* bytes the device has */
  int64_t free;        /* bytes the device has free */
} arr_memory_stats;

/** Fills in the memory statistics of a device.
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,out] stats  struct_size is read, the rest written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.MemoryPool.used_bytes, cupy.cuda.MemoryPool.total_bytes, cupy.get_default_memory_pool,
 *  cupy.cuda.MemoryPool, cupy.cuda.Device.mem_info, cupy.cuda.runtime.memGetInfo,
 *  cupy.cuda.memory.SingleDeviceMemoryPool, cupy.cuda.memory.SingleDeviceMemoryPool.used_bytes,
 *  cupy.cuda.memory.SingleDeviceMemoryPool.total_bytes, cupy.cuda.MemoryAsyncPool.used_bytes,
 *  cupy.cuda.MemoryAsyncPool.total_bytes */
ARR_API arr_status arr_memory_info(const arr_device *device, arr_memory_stats *stats);

/** Limits how much memory may be in use on a device. The variable ARR_MEMORY_LIMIT ("2G", "512M", "1000000",
 *  "50%" of what the device has) sets the limit that each device begins with.
 *  @param[in,null] device  where (NULL: the host)
 *  @param bytes  the limit; 0 for none
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.MemoryPool.set_limit, cupy.cuda.memory.SingleDeviceMemoryPool.set_limit,
 *  cupy.cuda.MemoryAsyncPool.set_limit */
ARR_API arr_status arr_memory_limit(const arr_device *device, int64_t bytes);

/** Gives cached memory back to the system.
 *  @param[in,null] device  where (NULL: the host)
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync may   @threads any   @since 0.1
 *  @cupy cupy.cuda.MemoryPool.free_all_blocks, cupy.cuda.MemoryPool.free_all_free,
 *  cupy.cuda.memory.SingleDeviceMemoryPool.free_all_blocks, cupy.cuda.memory.SingleDeviceMemoryPool.free_all_free,
 *  cupy.cuda.MemoryAsyncPool.free_all_blocks, cupy.cuda.runtime.memPoolTrimTo */
ARR_API arr_status arr_memory_trim(const arr_device *device);

/** Whether a garbage-collected runtime would do well to collect: 0 no, 1 yes. It is 1 once after the bytes in
 *  use on a device have grown by a step since the least that they had fallen to, and after memory has run out.
 *  A step is half of what was in use, 256 MiB or more, and at most an eighth of the memory that there is for
 *  arrays: see the guide on memory. One atomic read.
 *  @return 0 or 1
 *  @sync no   @threads any   @since 0.1 */
ARR_API int32_t arr_memory_pressure(void);

/** The same as a part of what the device has.
 *  @param[in,null] device  where (NULL: the host)
 *  @param fraction  0 .. 1 of the device's memory; 0 for no limit
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_memory_limit_fraction(const arr_device *device, double fraction);

/** What a device's pool has done. A hit was served from memory that the pool had, a miss made it ask the
 *  system. Every byte that the system gave is in use or cached: reserved = in_use + cached. On the host with
 *  ARR_HOST_ASYNC=1 what was released is in use until the stream that used it has completed its earlier work, and the
 *  peak is exact for any threads. */
typedef struct arr_memory_pool_stats {
  int64_t struct_size; /* sizeof(arr_memory_pool_stats), set by the caller */
  int64_t in_use;      /* bytes given out, as rounded up by the pool */
  int64_t reserved;    /* bytes had from the system */
  int64_t peak; /* most bytes in use so far; with several threads on the host up to 512 KiB each high */
  int64_t peak_reserved; /* most bytes had from the system so far */
  int64_t limit;         /* most bytes in use allowed; 0: no limit */
  int64_t allocations;   /* so far */
  int64_t releases;      /* so far */
  int64_t hits;          /* allocations served from what the pool had */
  int64_t misses;        /* allocations that made it ask the system */
  int64_t free_blocks;   /* pieces that are cached */
  int64_t largest_free;  /* bytes of the largest of them */
} arr_memory_pool_stats;

/** Fills in what a device's pool has done.
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,out] stats  struct_size is read, the rest written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.MemoryPool.free_bytes, cupy.cuda.MemoryPool.n_free_blocks, cupy.cuda.MemoryPool.get_limit,
 *  cupy.cuda.memory.SingleDeviceMemoryPool.n_free_blocks, cupy.cuda.memory.SingleDeviceMemoryPool.free_bytes,
 *  cupy.cuda.memory.SingleDeviceMemoryPool.get_limit, cupy.cuda.MemoryAsyncPool.free_bytes,
 *  cupy.cuda.MemoryAsyncPool.get_limit */
ARR_API arr_status arr_memory_pool_info(const arr_device *device, arr_memory_pool_stats *stats);

/** What the pool gave for each size class that was asked for so far, smallest first.
 *  @param[in,null] device  where (NULL: the host)
 *  @param capacity  room at each of the following; 0 to ask for the number only
 *  @param[out,null,len=capacity] largest  bytes of the largest request of the class; may be NULL
 *  @param[out,null,len=capacity] allocations  requests so far; may be NULL
 *  @param[out,null,len=capacity] blocks  blocks in use; may be NULL
 *  @param[out,null,len=capacity] bytes  bytes in use; may be NULL
 *  @param[out] count  the number of classes, also beyond the capacity
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_memory_pool_classes(const arr_device *device, int32_t capacity, int64_t *largest,
                                           int64_t *allocations, int64_t *blocks, int64_t *bytes,
                                           int32_t *count);

/** Lets the peaks of a device's pool begin anew from what is in use now.
 *  @param[in,null] device  where (NULL: the host)
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_memory_reset_peak(const arr_device *device);

/* ------------------------------------------------------------------------------------------ allocators */

#define ARR_ALLOCATOR_POOL 0           /* kind: the pool described above; how each device begins */
#define ARR_ALLOCATOR_STREAM_ORDERED 1 /* kind: the pool of CUDA's driver, which other libraries may share */
#define ARR_ALLOCATOR_MANAGED 2        /* kind: memory that the host and every GPU use at one address */
#define ARR_ALLOCATOR_DIRECT 3         /* kind: no pool: each block from the driver or the system, and back */
#define ARR_ALLOCATOR_EXTERNAL 4       /* functions of the caller: arr_memory_set_allocator_functions */

/** Says where new memory of a device comes from: that of arrays and what operations use while they run. Each
 *  block that is out goes back to where it came from, also after a change; limits, statistics and hooks count
 *  all of it alike. What the pool has cached stays there until the pool is used again or arr_memory_trim.
 *
 *  ARR_ALLOCATOR_STREAM_ORDERED asks the driver's default pool of the device in stream order
 *  (cuMemAllocAsync), which keeps as much as the program has told it to by its release threshold;
 *  arr_memory_trim trims it too. Work that is being captured into a graph takes its memory from libarr's pool
 *  instead. The host has no such driver: ARR_E_UNSUPPORTED.
 *
 *  ARR_ALLOCATOR_MANAGED returns memory that arr_data's address reaches from the host as well, once the device's
 *  work on it has been waited for. It has a pool of its own kind. All memory of the host is managed in this
 *  sense, so there it is the same as ARR_ALLOCATOR_POOL.
 *
 *  ARR_ALLOCATOR_DIRECT finds mistakes and helps where memory must be the program's to the last byte. On a GPU
 *  the release of an array waits for the stream that used it last, and every allocation costs a call of the
 *  driver.
 *  @param[in,null] device  where (NULL: the host)
 *  @param kind  ARR_ALLOCATOR_POOL, _STREAM_ORDERED, _MANAGED or _DIRECT
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED where the device or its driver has no such memory,
 *          ARR_E_UNAVAILABLE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.set_allocator, cupy.cuda.malloc_managed, cupy.cuda.malloc_async, cupy.cuda.ManagedMemory,
 *  cupy.cuda.MemoryAsync, cupy.cuda.MemoryAsyncPool, cupy.cuda.MemoryAsyncPool.malloc, cupy.cuda.using_allocator,
 *  cupy.cuda.runtime.mallocManaged */
ARR_API arr_status arr_memory_set_allocator(const arr_device *device, int32_t kind);

/** Takes new memory of a device from functions of the caller, such as a memory resource of RMM: the kind of
 *  arr_memory_allocator is ARR_ALLOCATOR_EXTERNAL then. They run on any thread, within the call that needs or
 *  releases memory, also in finalizers; they must be safe from several threads at once, throw nothing and
 *  call nothing of libarr.
 *
 *  Memory is in stream order: what allocate returns may be used by work enqueued in the stream from then on,
 *  and release is told a stream behind whose work the memory is free. The stream is native (a CUstream) on a
 *  GPU and NULL on the host. Sizes are multiples of 256 and the address must be one too. Where allocate has
 *  no more, libarr gives back what its pool has cached and asks once again, and the operation fails with
 *  ARR_E_MEMORY and the status in the text.
 *  @param[in,null] device  where (NULL: the host)
 *  @param allocate  called as allocate(ctx, bytes, device index, stream, where the address goes); returns 0, or
 *                   a status of its own where it has no memory
 *  @param release  called as release(ctx, address, bytes, device index, stream), with the same bytes
 *  @param[in,null] drop  called once as drop(ctx) when another allocator has been set and all memory is back; not where
 *               this call fails; NULL for nothing
 *  @param[in,null] ctx  passed to all three; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_UNAVAILABLE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.CFunctionAllocator, cupy.cuda.CFunctionAllocator.malloc, interop: RMM/other allocator plug-in */
ARR_API arr_status arr_memory_set_allocator_functions(
    const arr_device *device,
    int32_t (*allocate)(void *ctx, int64_t bytes, int32_t device_index, void *stream, void **data),
    void (*release)(void *ctx, void *data, int64_t bytes, int32_t device_index, void *stream),
    void (*drop)(void *ctx), void *ctx);

/** Where new memory of a device comes from.
 *  @param[in,null] device  where (NULL: the host)
 *  @param[out] kind  ARR_ALLOCATOR_...
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.get_allocator */
ARR_API arr_status arr_memory_allocator(const arr_device *device, int32_t *kind);

/* ------------------------------------------------------------------------------- page-locked host memory */

#define ARR_PINNED_MAPPED 1         /* devices may use the memory in place: arr_pinned_device_data */
#define ARR_PINNED_WRITE_COMBINED 2 /* quicker for a GPU to read, very slow for the host to read */
#define ARR_PINNED_READ_ONLY 4      /* of arr_pinned_register: devices will not write there */
#define ARR_PINNED_REQUIRED 8 /* of arr_pinned_create: an error, not ordinary memory, where there is no GPU */
#define ARR_PINNED_ZEROED 16  /* of arr_pinned_create: all bytes are 0 */

/** Creates an array on the host, uninitialised without ARR_PINNED_ZEROED, in memory that the CUDA driver has
 *  page-locked, for every GPU: copies to and from devices are quicker, and those of arr_memory_copy with ARR_COPY_ASYNC
 *  run beside the host's work. In all else it is an array of the host. Such memory has a pool of its own, which gets
 *  back what arrays release. Where no GPU works the array has ordinary memory, as arr_is_pinned tells; so has an
 *  array without elements. Copies by arr_memory_copy that were not waited for must be done before the array
 *  is released, for the next one may have the memory at once.
 *  @param dtype  element type
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param flags  0, or a sum of ARR_PINNED_MAPPED, ARR_PINNED_WRITE_COMBINED, ARR_PINNED_REQUIRED and ARR_PINNED_ZEROED
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY where the limit of arr_pinned_limit or what can be
 *          locked is reached, ARR_E_ARGUMENT, ARR_E_LOST, ARR_E_UNAVAILABLE with ARR_PINNED_REQUIRED
 *  @sync may   @threads any   @since 0.1
 *  @cupy cupyx.empty_pinned, cupy.cuda.alloc_pinned_memory, cupy.cuda.PinnedMemory,
 *  cupy.cuda.PinnedMemoryPool.malloc, cupy.cuda.runtime.hostAlloc, cupyx.empty_like_pinned,
 *  cupy.cuda.PinnedMemoryPointer, cupyx.zeros_pinned, cupyx.zeros_like_pinned */
ARR_API arr_status arr_pinned_create(arr_dtype dtype, int32_t ndim, const int64_t *shape, int32_t order,
                                     int32_t flags, arr_array *out);

/** Whether the memory of an array of the host is page-locked, by arr_pinned_create, by arr_pinned_register or
 *  by anybody else who asked the CUDA driver. Loads the CUDA module.
 *  @param a  any array; of one on a device, or without elements, the answer is no
 *  @param[out] pinned  1 or 0; 0 where no GPU works
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.pinned_memory.is_memory_pinned */
ARR_API arr_status arr_is_pinned(arr_array a, int32_t *pinned);

/** The address at which a device sees the first element of an array in page-locked memory that was made or
 *  registered with ARR_PINNED_MAPPED: for kernels that read or write the host's memory in place. It is valid
 *  as long as the memory is; the order of the device's work and the host's is the caller's to keep.
 *  @param a  an array of the host with one element or more
 *  @param[in,null] device  the CUDA device that will use the memory (NULL: CUDA device 0)
 *  @param[out] data  the address on the device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT where the memory is not page-locked or not mapped,
 *          ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_pinned_device_data(arr_array a, const arr_device *device, void **data);

/** Page-locks memory of the caller's for every GPU, until arr_pinned_unregister; it must be unregistered
 *  before it is given back to the system.
 *  @param[in,out] data  the first byte
 *  @param bytes  how many, 1 or more; the system locks the whole pages that they touch
 *  @param flags  0, or a sum of ARR_PINNED_MAPPED and ARR_PINNED_READ_ONLY, which not every device has
 *  @return ARR_OK, ARR_E_ARGUMENT also where some of it is locked already, ARR_E_MEMORY, ARR_E_UNAVAILABLE where
 *          no GPU works, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_LOST
 *  @sync may   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.hostRegister */
ARR_API arr_status arr_pinned_register(void *data, int64_t bytes, int32_t flags);

/** Ends what arr_pinned_register began. Copies that were not waited for must be done.
 *  @param[in,out] data  the address that was registered
 *  @return ARR_OK, ARR_E_ARGUMENT where it was not, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync may   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.hostUnregister */
ARR_API arr_status arr_pinned_unregister(void *data);

/** Fills in what the pool of page-locked memory has done; it has one for all devices.
 *  @param[in,out] stats  struct_size is read, the rest written
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.get_default_pinned_memory_pool, cupy.cuda.PinnedMemoryPool,
 *  cupy.cuda.PinnedMemoryPool.n_free_blocks */
ARR_API arr_status arr_pinned_info(arr_memory_pool_stats *stats);

/** Limits how much memory of the pool of page-locked memory may be in use.
 *  @param bytes  the limit; 0 for none, as at the start
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_pinned_limit(int64_t bytes);

/** Takes new page-locked memory from functions of the caller, as arr_memory_set_allocator_functions that of a
 *  device. They are asked where no GPU works too, the flags of arr_pinned_create do not reach them, and what they
 *  gave they have back when its array is released: the pool caches none of it.
 *  @param[in,null] allocate  called as allocate(ctx, bytes, 0, NULL, where the address goes), which is a multiple of
 *      256; returns 0, or a status of its own where it has no memory; NULL: the driver is asked, as at the start
 *  @param[in,null] release  called as release(ctx, address, bytes, 0, NULL), with the same bytes
 *  @param[in,null] drop  called once as drop(ctx) when nothing can come from them any more and they have all back; may
 *      be NULL
 *  @param[in,null] ctx  given to all
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY; then nothing has changed, and drop is not called
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.set_pinned_memory_allocator */
ARR_API arr_status arr_pinned_set_allocator_functions(
    int32_t (*allocate)(void *ctx, int64_t bytes, int32_t device_index, void *stream, void **data),
    void (*release)(void *ctx, void *data, int64_t bytes, int32_t device_index, void *stream),
    void (*drop)(void *ctx), void *ctx);

/** Gives the page-locked memory that the pool has cached back to the driver.
 *  @return ARR_OK
 *  @sync may   @threads any   @since 0.1
 *  @cupy cupy.cuda.PinnedMemoryPool.free_all_blocks */
ARR_API arr_status arr_pinned_trim(void);

/* ------------------------------------------------------------------------------------------ being told */

#define ARR_MEMORY_ALLOC 1 /* event: memory of an array was given out */
#define ARR_MEMORY_FREE 2  /* event: it was given back */

/** Calls a function for every allocation and release of an array's memory, on any thread, from within the call
 *  that makes them: it must be short and call nothing of libarr. With no hook nothing is spent on this.
 *  @param hook  called as hook(ctx, ARR_MEMORY_..., device type, device index, bytes, address, name of the
 *               public function that runs, or "")
 *  @param[in,null] drop  called once as drop(ctx) when the hook has been removed and runs no more; NULL for nothing
 *  @param[in,null] ctx  passed to both; may be NULL
 *  @param[out] id  for arr_memory_hook_remove
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.MemoryHook, cupy.cuda.MemoryHook.alloc_postprocess, cupy.cuda.MemoryHook.free_preprocess,
 *  cupy.cuda.MemoryHook.malloc_postprocess */
ARR_API arr_status arr_memory_hook_add(void (*hook)(void *ctx, int32_t event, int32_t device_type,
                                                    int32_t device_index, int64_t bytes, const void *data,
                                                    const char *function),
                                       void (*drop)(void *ctx), void *ctx, int64_t *id);

/** Removes a hook; one that another thread is in just now may still finish.
 *  @param id  of arr_memory_hook_add and the like
 *  @return ARR_OK, ARR_E_ARGUMENT where there is no such hook, ARR_E_MEMORY where it is still there
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_memory_hook_remove(int64_t id);

/** A hook that writes a line per event to a file: "alloc 4096 bytes on cuda:0 at 0x7f.. in arr_add".
 *  @param[in,null,bytes=length] path  the file to append to; NULL for the standard error stream
 *  @param length  bytes of path, -1 where it ends in NUL
 *  @param[out] id  for arr_memory_hook_remove, which closes the file
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.memory_hooks.DebugPrintHook */
ARR_API arr_status arr_memory_hook_debug(const char *path, int64_t length, int64_t *id);

/** A hook that adds up by public function what arrays were allocated in it.
 *  @param[out] id  for arr_memory_profile_report and arr_memory_hook_remove
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.memory_hooks.LineProfileHook */
ARR_API arr_status arr_memory_hook_profile(int64_t *id);

/** What a profiling hook has added up: a line per function with allocations, bytes, bytes still in use and the
 *  most of them at a time, most bytes first.
 *  @param id  of arr_memory_hook_profile
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the table, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole table without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT where it is no such hook
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.memory_hooks.LineProfileHook.print_report */
ARR_API arr_status arr_memory_profile_report(int64_t id, int64_t capacity, char *text, int64_t *length);

/* ----------------------------------------------------------------------------------- bytes by address */

#define ARR_COPY_FROM_HOST 0 /* kind: from host memory to the device */
#define ARR_COPY_TO_HOST 1   /* kind: from the device to host memory */
#define ARR_COPY_ON_DEVICE 2 /* kind: within the device */
#define ARR_COPY_ASYNC 16    /* added to a kind: does not wait for the copy */

/** Copies bytes between addresses, in stream order. Addresses say nothing of the streams that used them: work
 *  of other streams on the memory is the caller's to order.
 *  @param[in,null] device  where (NULL: the host)
 *  @param[out,null] to  the first byte to write; may be NULL when bytes is 0
 *  @param[in,null] from  the first byte to read; may be NULL when bytes is 0
 *  @param bytes  how many, 0 or more; the two parts of memory may not overlap
 *  @param kind  ARR_COPY_FROM_HOST, ARR_COPY_TO_HOST or ARR_COPY_ON_DEVICE, with ARR_COPY_ASYNC or without;
 *               with it host memory must stay as it is until the stream has completed its earlier work
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_HANDLE, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync from and to the host without ARR_COPY_ASYNC   @threads any   @since 0.1
 *  @cupy cupy.cuda.MemoryPointer.copy_from_host, cupy.cuda.MemoryPointer.copy_from_host_async,
 *  cupy.cuda.MemoryPointer.copy_to_host, cupy.cuda.MemoryPointer.copy_to_host_async,
 *  cupy.cuda.MemoryPointer.copy_from_device, cupy.cuda.MemoryPointer.copy_from_device_async,
 *  cupy.cuda.MemoryPointer.copy_from, cupy.cuda.MemoryPointer.copy_from_async, cupy.cuda.runtime.memcpy,
 *  cupy.cuda.runtime.memcpyAsync */
ARR_API arr_status arr_memory_copy(const arr_device *device, void *to, const void *from, int64_t bytes,
                                   int32_t kind, arr_stream stream);

/** Sets bytes to one value, in stream order.
 *  @param[in,null] device  where (NULL: the host)
 *  @param[out,null] to  the first byte, on the device; may be NULL when bytes is 0
 *  @param value  0 .. 255
 *  @param bytes  how many, 0 or more
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_HANDLE, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.MemoryPointer.memset, cupy.cuda.MemoryPointer.memset_async, cupy.cuda.runtime.memset,
 *  cupy.cuda.runtime.memsetAsync */
ARR_API arr_status arr_memory_set(const arr_device *device, void *to, int32_t value, int64_t bytes,
                                  arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
