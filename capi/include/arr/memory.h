/* SPDX-License-Identifier: MIT */
/* memory.h - memory of a device: statistics and limits of the pool that arrays use, allocators, hooks on
 * allocations, and copies by address.
 *
 * Each device has a pool. Released memory is cached by size for the stream that used it last, which can reuse it
 * without waiting; other streams can reuse it once an event shows that the first stream is done with it. When no
 * cached block fits, the pool merges its free blocks, asks the system, waits for work that still uses memory,
 * returns whole segments to the system, and only then fails with ARR_E_MEMORY and a line with the numbers. */
#ifndef ARR_MEMORY_H
#define ARR_MEMORY_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------ the pool */

/** Memory of a device in libarr's pool. */
typedef struct arr_memory_stats {
  int64_t struct_size; /* sizeof(arr_memory_stats); set by the caller */
  int64_t in_use;      /* bytes in use */
  int64_t cached;      /* bytes that the pool caches for reuse */
  int64_t peak;        /* largest number of bytes in use so far */
  int64_t limit;       /* limit of the bytes in use; 0: no limit */
  int64_t total;       /* total memory of the device */
  int64_t free;        /* free memory of the device */
} arr_memory_stats;

/** Returns the memory statistics of a device.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,out] stats  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_memory_info(const arr_device *device, arr_memory_stats *stats);

/** Limits how much memory may be in use on a device. The environment variable ARR_MEMORY_LIMIT ("2G", "512M",
 *  "1000000", "50%" of the device's memory) sets the initial limit of each device.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param bytes  the limit in bytes; 0 for no limit
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_memory_limit(const arr_device *device, int64_t bytes);

/** Returns cached memory to the system.
 *  @param[in,null] device  the device; NULL selects the host
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync may */
ARR_API arr_status arr_memory_trim(const arr_device *device);

/** Tests whether a garbage-collected runtime should collect. The call returns true once after the bytes in
 *  use on a device have grown by a step since their last minimum, and after memory has run out. A step is half of
 *  the bytes in use, at least 256 MiB and at most an eighth of the memory available to arrays; see the guide on
 *  memory. The call costs one atomic read.
 *  @return true if it should
 *  @sync no */
ARR_API bool arr_memory_pressure(void);

/** Limits how much memory may be in use on a device, as a fraction of the device's memory.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param fraction  0 .. 1 of the device's memory; 0 for no limit
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_memory_limit_fraction(const arr_device *device, double fraction);

/** Statistics of a device's pool. A hit is an allocation that the pool served from its own memory; a miss made it
 *  ask the system. Every byte from the system is in use or cached: reserved = in_use + cached. On the host with
 *  ARR_HOST_ASYNC=1, released memory stays in use until the stream that used it has completed its earlier work, and
 *  the peak is exact for any number of threads. */
typedef struct arr_memory_pool_stats {
  int64_t struct_size;   /* sizeof(arr_memory_pool_stats); set by the caller */
  int64_t in_use;        /* bytes in use, as rounded up by the pool */
  int64_t reserved;      /* bytes obtained from the system */
  int64_t peak;          /* largest in_use so far; on the host up to 512 KiB per thread too high */
  int64_t peak_reserved; /* largest number of bytes obtained from the system so far */
  int64_t limit;         /* limit of the bytes in use; 0: no limit */
  int64_t allocations;   /* number of allocations so far */
  int64_t releases;      /* number of releases so far */
  int64_t hits;          /* allocations served from the pool's memory */
  int64_t misses;        /* allocations that made the pool ask the system */
  int64_t free_blocks;   /* number of cached blocks */
  int64_t largest_free;  /* bytes of the largest cached block */
} arr_memory_pool_stats;

/** Returns the statistics of a device's pool.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,out] stats  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_memory_pool_info(const arr_device *device, arr_memory_pool_stats *stats);

/** Returns statistics per size class that was requested so far, smallest class first.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param capacity  number of entries at each of the following arrays; 0 to ask for the number of entries only
 *  @param[out,null,len=capacity] largest  bytes of the largest request of the class; may be NULL
 *  @param[out,null,len=capacity] allocations  requests so far; may be NULL
 *  @param[out,null,len=capacity] blocks  blocks in use; may be NULL
 *  @param[out,null,len=capacity] bytes  bytes in use; may be NULL
 *  @param[out] count  number of classes; may be larger than the capacity
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_memory_pool_classes(const arr_device *device, int32_t capacity, int64_t *largest,
                                           int64_t *allocations, int64_t *blocks, int64_t *bytes,
                                           int32_t *count);

/** Resets the peaks of a device's pool to the present values.
 *  @param[in,null] device  the device; NULL selects the host
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_memory_reset_peak(const arr_device *device);

/* ------------------------------------------------------------------------------------------ allocators */

#define ARR_ALLOCATOR_POOL 0           /* kind: the pool described above; the initial kind of each device */
#define ARR_ALLOCATOR_STREAM_ORDERED 1 /* kind: the pool of CUDA's driver, which other libraries may share */
#define ARR_ALLOCATOR_MANAGED 2        /* kind: memory that the host and every GPU use at one address */
#define ARR_ALLOCATOR_DIRECT 3         /* kind: no pool: each block comes from the driver or the system */
#define ARR_ALLOCATOR_EXTERNAL 4       /* functions of the caller: arr_memory_set_allocator_functions */

/** Selects the allocator for a device: array memory and temporaries. Memory already allocated is returned to the
 *  allocator it came from. Limits, statistics and hooks cover all allocators alike. Memory that the pool has cached
 *  stays cached until the pool is used again or arr_memory_trim is called.
 *
 *  ARR_ALLOCATOR_STREAM_ORDERED uses the driver's default pool of the device in stream order (cuMemAllocAsync); the
 *  pool's release threshold, which the program sets, determines how much it caches, and arr_memory_trim trims it too.
 *  Work that is being captured into a graph takes its memory from libarr's pool instead. The host has no such driver:
 *  ARR_E_UNSUPPORTED.
 *
 *  ARR_ALLOCATOR_MANAGED allocates memory that the host can also reach at arr_data's address, once the device's work on
 *  it has finished. It has a separate pool. All host memory is managed in this sense, so on the host it is the same
 *  as ARR_ALLOCATOR_POOL.
 *
 *  ARR_ALLOCATOR_DIRECT helps to find errors, and to give every byte of memory back at once. On a GPU the release of an
 *  array then waits for the stream that used it last, and every allocation is a call of the driver.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param kind  ARR_ALLOCATOR_POOL, _STREAM_ORDERED, _MANAGED or _DIRECT
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED if the device or its driver has no such memory, ARR_E_UNAVAILABLE,
 *      ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_memory_set_allocator(const arr_device *device, int32_t kind);

/** Selects functions of the caller as the allocator of a device, such as a memory resource of RMM;
 *  arr_memory_allocator then returns ARR_ALLOCATOR_EXTERNAL. The functions run on any thread, inside the call that
 *  needs or releases memory, also in finalizers. They must be safe from several threads at once, throw nothing and
 *  not call libarr.
 *
 *  Memory is used in stream order: work enqueued in the stream may use the result of allocate from then on, and
 *  release receives a stream after whose work the memory is free. The stream is native (a CUstream) on a GPU and
 *  NULL on the host. Sizes and addresses are multiples of 256. If allocate fails, libarr returns its cached memory
 *  and calls allocate again; if that fails too, the operation fails with ARR_E_MEMORY and the status in the text.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param allocate  called as allocate(ctx, bytes, device index, stream, where to write the address); returns 0, or
 *      another status if it has no memory
 *  @param release  called as release(ctx, address, bytes, device index, stream), with the bytes of the allocation
 *  @param[in,null] drop  called once as drop(ctx) when another allocator has been selected and all memory has been
 *      released; not called if this call fails; may be NULL
 *  @param[in,null] ctx  passed to all three; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_UNAVAILABLE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_memory_set_allocator_functions(
    const arr_device *device,
    int32_t (*allocate)(void *ctx, int64_t bytes, int32_t device_index, void *stream, void **data),
    void (*release)(void *ctx, void *data, int64_t bytes, int32_t device_index, void *stream),
    void (*drop)(void *ctx), void *ctx);

/** Returns the allocator of a device.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[out] kind  ARR_ALLOCATOR_...
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_memory_allocator(const arr_device *device, int32_t *kind);

/* ------------------------------------------------------------------------------------------------------- hooks */

#define ARR_MEMORY_ALLOC 1 /* event: an array's memory was allocated */
#define ARR_MEMORY_FREE 2  /* event: it was released */

/** Installs a function that is called for every allocation and release of an array's memory, on any thread, inside the
 *  call that causes it. The function must be short and must not call libarr. Without hooks this costs nothing.
 *  @param hook  called as hook(ctx, ARR_MEMORY_..., device type, device index, bytes, address, name of the public
 *      function that runs, or "")
 *  @param[in,null] drop  called once as drop(ctx) when the hook has been removed and does not run any more; may be NULL
 *  @param[in,null] ctx  passed to both; may be NULL
 *  @param[out] id  identifier for arr_memory_hook_remove
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_memory_hook_add(void (*hook)(void *ctx, int32_t event, int32_t device_type,
                                                    int32_t device_index, int64_t bytes, const void *data,
                                                    const char *function),
                                       void (*drop)(void *ctx), void *ctx, int64_t *id);

/** Removes a hook. A call of it that is running on another thread may still finish.
 *  @param id  identifier from arr_memory_hook_add or a similar function
 *  @return ARR_OK, ARR_E_ARGUMENT if there is no such hook, ARR_E_MEMORY if it could not be removed
 *  @sync no */
ARR_API arr_status arr_memory_hook_remove(int64_t id);

/** Installs a hook that writes a line per event to a file, such as "alloc 4096 bytes on cuda:0 at 0x7f1c2000 in
 *  arr_add".
 *  @param[in,null,bytes=length] path  the file to append to; NULL selects the standard error stream
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[out] id  identifier for arr_memory_hook_remove, which closes the file
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_memory_hook_debug(const char *path, int64_t length, int64_t *id);

/** Installs a hook that adds up the allocations of arrays per public function.
 *  @param[out] id  identifier for arr_memory_profile_report and arr_memory_hook_remove
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_memory_hook_profile(int64_t *id);

/** Returns the sums of a profiling hook: a line per function with allocations, bytes, bytes still in use and their
 *  peak, in descending order of bytes.
 *  @param id  identifier from arr_memory_hook_profile
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the table, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole table without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT if it is not a profiling hook
 *  @sync no */
ARR_API arr_status arr_memory_profile_report(int64_t id, int64_t capacity, char *text, int64_t *length);

/* ----------------------------------------------------------------------------------- bytes by address */

#define ARR_COPY_FROM_HOST 0 /* kind: from host memory to the device */
#define ARR_COPY_TO_HOST 1   /* kind: from the device to host memory */
#define ARR_COPY_ON_DEVICE 2 /* kind: within the device */
#define ARR_COPY_ASYNC 16    /* added to a kind: the call does not wait for the copy */

/** Copies bytes between addresses in stream order. libarr does not know which streams used an address: the caller must
 *  order the work of other streams on the memory.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[out,null] to  the first byte to write; may be NULL when bytes is 0
 *  @param[in,null] from  the first byte to read; may be NULL when bytes is 0
 *  @param bytes  number of bytes, 0 or more; the two ranges must not overlap
 *  @param kind  ARR_COPY_FROM_HOST, ARR_COPY_TO_HOST or ARR_COPY_ON_DEVICE, optionally with ARR_COPY_ASYNC; host memory
 *      must then stay unchanged until the stream has completed its earlier work
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_HANDLE, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync from and to the host without ARR_COPY_ASYNC */
ARR_API arr_status arr_memory_copy(const arr_device *device, void *to, const void *from, int64_t bytes,
                                   int32_t kind, arr_stream stream);

/** Sets bytes to one value, in stream order.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[out,null] to  the first byte, on the device; may be NULL when bytes is 0
 *  @param value  0 .. 255
 *  @param bytes  number of bytes, 0 or more
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_HANDLE, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_memory_set(const arr_device *device, void *to, int32_t value, int64_t bytes,
                                  arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
