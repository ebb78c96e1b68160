/* SPDX-License-Identifier: MIT */
/* device.h - devices and backends. */
#ifndef ARR_DEVICE_H
#define ARR_DEVICE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARR_REQUIRE_GPU 1 /* flag: the call fails if there is no GPU, and never selects the host */

/** Selects a device: the one that the environment variable ARR_DEVICE names ("host", "cuda", "cuda:1"), else the first
 *  working GPU, else the host. If a requested device does not work, the call fails with a text that lists everything
 *  that was tried; it never falls back silently.
 *  @param flags  0 or ARR_REQUIRE_GPU
 *  @param[out] out  the device
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_device_select(int32_t flags, arr_device *out);

/** Returns the number of devices of a type; 0 if the backend does not work.
 *  @param type  ARR_HOST or ARR_CUDA
 *  @param[out] count  the number
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_device_count(int32_t type, int32_t *count);

/** Returns the name of a device for display.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the name, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole name without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_device_name(const arr_device *device, int64_t capacity, char *text, int64_t *length);

/** Properties of a device. -1 means that the device does not have the property or the driver does not report it. */
typedef struct arr_device_properties {
  int64_t struct_size;                  /* sizeof(arr_device_properties); set by the caller */
  int64_t compute_major;                /* CUDA's compute capability: major number */
  int64_t compute_minor;                /* CUDA's compute capability: minor number */
  int64_t multiprocessors;              /* number of multiprocessors; on the host, of processors */
  int64_t warp_size;                    /* threads of a warp */
  int64_t threads_per_block;            /* largest number of threads of a block */
  int64_t threads_per_multiprocessor;   /* largest number of threads of a multiprocessor */
  int64_t shared_bytes_per_block;       /* largest number of bytes of shared memory of a block */
  int64_t shared_bytes_per_block_optin; /* the same for kernels that request it (opt-in) */
  int64_t registers_per_block;          /* largest number of 32-bit registers of a block */
  int64_t clock_khz;                    /* clock rate of the processors */
  int64_t memory_clock_khz;             /* clock rate of the memory */
  int64_t memory_bus_bits;              /* width of the memory bus */
  int64_t l2_bytes;                     /* size of the level 2 cache */
  int64_t memory_bytes;                 /* memory of the device */
  int64_t integrated;                   /* 1: shares its memory with the host */
  int64_t managed_memory;               /* 1: has memory that host and device both address */
  int64_t memory_pools;                 /* 1: has the driver's stream-ordered allocator */
  int64_t cooperative_launch;           /* 1: kernels may synchronise their whole grid */
} arr_device_properties;

/** Returns the properties of a device.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,out] properties  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_device_info(const arr_device *device, arr_device_properties *properties);

/** Returns an attribute of a CUDA device by the driver's name for it, such as "MAX_THREADS_PER_BLOCK" (the part after
 *  CU_DEVICE_ATTRIBUTE_), in upper or lower case.
 *  @param[in,null] device  the device; NULL selects the host, which has no attributes
 *  @param[in,bytes=length] name  name of the attribute
 *  @param length  number of bytes of name; -1 if it is NUL-terminated
 *  @param[out] value  the driver's value; -1 if this driver does not know the attribute
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_device_attribute(const arr_device *device, const char *name, int64_t length,
                                        int64_t *value);

/** Returns the address of a device on the PCI bus, such as "0000:3b:00.0"; empty for the host.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the address, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_device_pci(const arr_device *device, int64_t capacity, char *text, int64_t *length);

/** Returns the unique identifier of a device, such as "GPU-6f0b..", as other tools show it; empty for the host.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the name, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole name without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_device_uuid(const arr_device *device, int64_t capacity, char *text, int64_t *length);

/** Finds the CUDA device at an address on the PCI bus.
 *  @param[in,bytes=length] pci  the address as arr_device_pci returns it, in upper or lower case
 *  @param length  number of bytes of pci; -1 if it is NUL-terminated
 *  @param[out] out  the device
 *  @return ARR_OK, ARR_E_ARGUMENT if there is no such device
 *  @sync no */
ARR_API arr_status arr_device_find_pci(const char *pci, int64_t length, arr_device *out);

/** Requirements that listed devices must meet; a field of 0 is no requirement. */
typedef struct arr_device_filter {
  int64_t struct_size;  /* sizeof(arr_device_filter); set by the caller */
  int64_t type;         /* ARR_HOST or ARR_CUDA; 0 for both */
  int64_t compute;      /* least compute capability, 10 * major + minor; excludes the host */
  int64_t memory_bytes; /* least total memory */
  int64_t free_bytes;   /* least memory that is free now */
  const char *name;     /* text that the name must contain, in upper or lower case; NULL for any name */
  int64_t name_length;  /* number of bytes of name; -1 if it is NUL-terminated */
} arr_device_filter;

/** Lists the devices that meet a filter, GPUs first, by index.
 *  @param[in,null] filter  the requirements; NULL for none
 *  @param seconds  how long to wait for the first device, polling ten times a second; 0 does not wait
 *  @param capacity  number of entries at devices
 *  @param[out,null,len=capacity] devices  the devices; may be NULL when capacity is 0
 *  @param[out] count  number of devices; may be larger than the capacity
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_device_list(const arr_device_filter *filter, double seconds, int32_t capacity,
                                   arr_device *devices, int32_t *count);

/** Tests whether a device can use the memory of another directly.
 *  @param[in,null] device  the device that would read and write; NULL selects the host
 *  @param[in,null] peer  the device that has the memory; NULL selects the host
 *  @param[out] possible  true if it can
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_device_peer_possible(const arr_device *device, const arr_device *peer, bool *possible);

/** Enables or disables direct access of a device to the memory of another.
 *  @param[in,null] device  the device that reads and writes; NULL selects the host
 *  @param[in,null] peer  the device that has the memory, of the same type; NULL selects the host
 *  @param enable  true: enable; false: disable. Setting the present state again is allowed
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_device_peer(const arr_device *device, const arr_device *peer, bool enable);

#define ARR_LIMIT_STACK_BYTES 0      /* bytes of each thread's stack */
#define ARR_LIMIT_PRINTF_BYTES 1     /* bytes of the buffer that printf in kernels writes to */
#define ARR_LIMIT_HEAP_BYTES 2       /* bytes of the heap that malloc in kernels allocates from */
#define ARR_LIMIT_SYNC_DEPTH 3       /* depth of synchronisation between nested launches; not on newer GPUs */
#define ARR_LIMIT_PENDING_LAUNCHES 4 /* number of launches by kernels that may be pending */
#define ARR_LIMIT_L2_FETCH_BYTES 5   /* bytes that the L2 cache fetches at once, 0 .. 128: a hint */
#define ARR_LIMIT_PERSISTING_L2_BYTES 6 /* bytes of the L2 cache that may be set aside for persisting data */

/** Returns the present limit of a resource of kernels on a device.
 *  @param[in,null] device  the device; NULL selects the host, which has no such limits
 *  @param limit  ARR_LIMIT_...
 *  @param[out] value  number of bytes, launches or levels
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED if the device has no such limit, ARR_E_UNAVAILABLE, ARR_E_DEVICE,
 *      ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_device_limit(const arr_device *device, int32_t limit, int64_t *value);

/** Changes the limit of a resource of kernels on a device, for the whole program. The driver may round the value or cut
 *  it to what the device supports; arr_device_limit returns the result. The limits of printf's buffer and of malloc's
 *  heap can be changed only until a kernel that uses them has run.
 *  @param[in,null] device  the device; NULL selects the host, which has no such limits
 *  @param limit  ARR_LIMIT_...
 *  @param value  number of bytes, launches or levels; 0 or more
 *  @return ARR_OK, ARR_E_ARGUMENT if the driver refuses the value, ARR_E_UNSUPPORTED if the device has no such limit,
 *      ARR_E_MEMORY, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync may */
ARR_API arr_status arr_device_set_limit(const arr_device *device, int32_t limit, int64_t value);

/** Waits until all work on a device has finished, and reports failures of enqueued work.
 *  @param[in,null] device  the device; NULL selects the host
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes */
ARR_API arr_status arr_device_sync(const arr_device *device);

/** Sets how many threads, including the calling thread, the host loops, raw kernels and OpenBLAS may use. Work that
 *  is already running keeps its threads. Without this call the limit is ARR_THREADS of the environment, else the
 *  number of processors that the process may use. With one process of MPI per core it is 1. The limit also holds for
 *  loops of oneTBB that the program runs itself. A limit above the number of processors makes OpenBLAS use more
 *  threads; loops never use more than one thread per processor.
 *  @param n  1 to 4096; 0 restores the limit that the process started with
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_set_threads(int32_t n);

/** Returns the limit of arr_set_threads.
 *  @param[out] n  number of threads
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_threads(int32_t *n);

#define ARR_BACKEND_ABSENT 0  /* the backend was not built, or its module was not found */
#define ARR_BACKEND_BROKEN 1  /* the module was loaded, but a driver, a library or a device is missing */
#define ARR_BACKEND_WORKING 2 /* the backend is ready */

/** Reports the state of a backend, and each path that was tried with the loader's message.
 *  @param type  ARR_HOST or ARR_CUDA
 *  @param[out] state  ARR_BACKEND_ABSENT, _BROKEN or _WORKING
 *  @param capacity  number of bytes at report, including the terminating NUL
 *  @param[out,null,bytes=capacity] report  lines of text, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole report without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_backend_probe(int32_t type, int32_t *state, int64_t capacity, char *report,
                                     int64_t *length);

#ifdef __cplusplus
}
#endif
#endif
