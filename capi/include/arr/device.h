/* SPDX-License-Identifier: MIT */
/* device.h - devices and backends, streams and events. */
#ifndef ARR_DEVICE_H
#define ARR_DEVICE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------- devices */

#define ARR_REQUIRE_GPU 1 /* flag: the call fails if there is no GPU, and never selects the host */

/** Selects a device: the one that the environment variable ARR_DEVICE names ("host", "cuda", "cuda:1"), else the first
 *  working GPU, else the host. If a requested device does not work, the call fails with a text that lists everything
 *  that was tried; it never falls back silently.
 *  @param flags  0 or ARR_REQUIRE_GPU
 *  @param[out] out  the device
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device, cupy.cuda.Device.id, cupy.cuda.Device.__int__, cupy.is_available, cupy.cuda.is_available */
ARR_API arr_status arr_device_select(int32_t flags, arr_device *out);

/** Returns the number of devices of a type; 0 if the backend does not work.
 *  @param type  ARR_HOST or ARR_CUDA
 *  @param[out] count  the number
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.getDeviceCount */
ARR_API arr_status arr_device_count(int32_t type, int32_t *count);

/** Returns the name of a device for display.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the name, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole name without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_device_name(const arr_device *device, int64_t capacity, char *text, int64_t *length);

/** Properties of a device. -1 means that the device does not have the property or the driver does not report it. */
typedef struct arr_device_properties {
  int64_t struct_size;                  /* sizeof(arr_device_properties); set by the caller */
  int64_t compute_major;                /* CUDA's compute capability: major number */
  int64_t compute_minor;                /* CUDA's compute capability: minor number */
  int64_t multiprocessors;              /* number of multiprocessors; on the host, of processors */
  int64_t warp_size;                    /* threads of a warp */
  int64_t threads_per_block;            /* largest number */
  int64_t threads_per_multiprocessor;   /* largest number */
  int64_t shared_bytes_per_block;       /* largest number of bytes of shared memory of a block */
  int64_t shared_bytes_per_block_optin; /* the same for kernels that ask for more */
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

/** Fills in the properties of a device.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,out] properties  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device.compute_capability, cupy.cuda.device.get_compute_capability,
 *  cupy.cuda.runtime.getDeviceProperties */
ARR_API arr_status arr_device_info(const arr_device *device, arr_device_properties *properties);

/** Returns an attribute of a CUDA device by the driver's name for it, such as "MAX_THREADS_PER_BLOCK" (the part after
 *  CU_DEVICE_ATTRIBUTE_), in upper or lower case.
 *  @param[in,null] device  the device; NULL selects the host, which has no attributes
 *  @param[in,bytes=length] name  name of the attribute
 *  @param length  number of bytes of name; -1 if it is NUL-terminated
 *  @param[out] value  the driver's value; -1 if this driver does not know the attribute
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device.attributes, cupy.cuda.runtime.deviceGetAttribute */
ARR_API arr_status arr_device_attribute(const arr_device *device, const char *name, int64_t length,
                                        int64_t *value);

/** Returns the position of a device on the PCI bus, such as "0000:3b:00.0"; empty for the host.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the position, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device.pci_bus_id, cupy.cuda.runtime.deviceGetPCIBusId */
ARR_API arr_status arr_device_pci(const arr_device *device, int64_t capacity, char *text, int64_t *length);

/** Returns the unique identifier of a device, such as "GPU-6f0b..", as other tools show it; empty for the host.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the name, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole name without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_device_uuid(const arr_device *device, int64_t capacity, char *text, int64_t *length);

/** Finds the CUDA device at a position on the PCI bus.
 *  @param[in,bytes=length] pci  the position as arr_device_pci returns it, in upper or lower case
 *  @param length  number of bytes of pci; -1 if it is NUL-terminated
 *  @param[out] out  the device
 *  @return ARR_OK, ARR_E_ARGUMENT if there is no such device
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device.from_pci_bus_id, cupy.cuda.runtime.deviceGetByPCIBusId */
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
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_device_list(const arr_device_filter *filter, double seconds, int32_t capacity,
                                   arr_device *devices, int32_t *count);

/** Tells whether a device can use the memory of another directly.
 *  @param[in,null] device  the device that would read and write; NULL selects the host
 *  @param[in,null] peer  the device that has the memory; NULL selects the host
 *  @param[out] possible  1 or 0
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.deviceCanAccessPeer */
ARR_API arr_status arr_device_peer_possible(const arr_device *device, const arr_device *peer,
                                            int32_t *possible);

/** Enables or disables direct access of a device to the memory of another.
 *  @param[in,null] device  the device that reads and writes; NULL selects the host
 *  @param[in,null] peer  the device that has the memory, of the same type; NULL selects the host
 *  @param enable  1: enable; 0: disable. Setting the present state again is allowed
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.deviceEnablePeerAccess, cupy.cuda.runtime.deviceDisablePeerAccess */
ARR_API arr_status arr_device_peer(const arr_device *device, const arr_device *peer, int32_t enable);

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
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.deviceGetLimit */
ARR_API arr_status arr_device_limit(const arr_device *device, int32_t limit, int64_t *value);

/** Changes the limit of a resource of kernels on a device, for the whole program. The driver may round the value or cut
 *  it to what the device supports; arr_device_limit returns the result. The limits of printf's buffer and of malloc's
 *  heap can be changed only until a kernel that uses them has run.
 *  @param[in,null] device  the device; NULL selects the host, which has no such limits
 *  @param limit  ARR_LIMIT_...
 *  @param value  number of bytes, launches or levels; 0 or more
 *  @return ARR_OK, ARR_E_ARGUMENT if the driver refuses the value, ARR_E_UNSUPPORTED if the device has no such limit,
 *      ARR_E_MEMORY, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync may   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.deviceSetLimit */
ARR_API arr_status arr_device_set_limit(const arr_device *device, int32_t limit, int64_t value);

/** Waits until all work on a device has finished, and reports failures of enqueued work.
 *  @param[in,null] device  the device; NULL selects the host
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device.synchronize, cupy.cuda.runtime.deviceSynchronize */
ARR_API arr_status arr_device_sync(const arr_device *device);

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
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_backend_probe(int32_t type, int32_t *state, int64_t capacity, char *report,
                                     int64_t *length);

/* ------------------------------------------------------------------------------------------- streams */

#define ARR_STREAM_BLOCKING 1 /* flag: the stream is ordered with CUDA's legacy default stream */

/** Creates a stream: a queue of work that runs in order.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param flags  0 or ARR_STREAM_BLOCKING
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream, cupy.cuda.runtime.streamCreate, cupy.cuda.runtime.streamCreateWithFlags */
ARR_API arr_status arr_stream_create(const arr_device *device, int32_t flags, arr_stream *out);

/** Creates a stream with a priority. The priority is cut to the range of the device.
 *  @param[in,null] device  the device; NULL selects the host, whose streams have no priority
 *  @param flags  0 or ARR_STREAM_BLOCKING
 *  @param priority  streams with lower numbers go first; see arr_stream_priority_range
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.streamCreateWithPriority */
ARR_API arr_status arr_stream_create_priority(const arr_device *device, int32_t flags, int32_t priority,
                                              arr_stream *out);

/** Returns the range of priorities that streams of a device may have.
 *  @param[in,null] device  the device; NULL selects the host, which has priority 0 only
 *  @param[out] least  number of the lowest priority
 *  @param[out] greatest  number of the highest priority; it is less than or equal to that of the lowest
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_stream_priority_range(const arr_device *device, int32_t *least, int32_t *greatest);

/** Returns how a stream was made, and whether its work is being captured into a graph.
 *  @param stream  the stream
 *  @param[out] flags  0 or ARR_STREAM_BLOCKING
 *  @param[out] priority  streams with lower numbers go first
 *  @param[out] capturing  1 while its work is captured, else 0
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.is_non_blocking, cupy.cuda.Stream.priority, cupy.cuda.Stream.is_capturing,
 *  cupy.cuda.ExternalStream.is_non_blocking, cupy.cuda.ExternalStream.priority,
 *  cupy.cuda.ExternalStream.is_capturing, cupy.cuda.runtime.streamGetFlags, cupy.cuda.runtime.streamGetPriority,
 *  cupy.cuda.runtime.streamIsCapturing */
ARR_API arr_status arr_stream_details(arr_stream stream, int32_t *flags, int32_t *priority,
                                      int32_t *capturing);

/** Enqueues a call of a function: it runs after the work that is in the stream now, and before work that is enqueued
 *  later. On a GPU a thread of the driver calls it; the host calls it at once, because its earlier work is done. The
 *  function must not call libarr or CUDA.
 *  @param[in,null] stream  the stream to work in; NULL selects the host's
 *  @param function  called once as function(ctx)
 *  @param[in,null] ctx  passed to function; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.launch_host_func, cupy.cuda.Stream.add_callback,
 *  cupy.cuda.ExternalStream.launch_host_func, cupy.cuda.ExternalStream.add_callback,
 *  cupy.cuda.runtime.launchHostFunc, cupy.cuda.runtime.streamAddCallback */
ARR_API arr_status arr_stream_host_function(arr_stream stream, void (*function)(void *ctx), void *ctx);

/** Wraps a native stream (CUstream). The caller keeps it, and it must outlive the handle.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] native  the native stream. NULL is CUDA's legacy default stream, (void *)2 is the default stream of
 *      each thread (CUstream has names for both); use a handle to the latter on one thread only
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.ExternalStream, cupy.cuda.Stream.from_external, interop: __cuda_stream__ protocol
 *  (import/export), cupy.cuda.Stream.null, cupy.cuda.ExternalStream.null, cupy.cuda.Stream.ptds,
 *  cupy.cuda.ExternalStream.ptds */
ARR_API arr_status arr_stream_wrap(const arr_device *device, void *native, arr_stream *out);

/** Returns the native stream (CUstream), borrowed. The host has no native streams: ARR_E_UNSUPPORTED.
 *  @param stream  the stream
 *  @param[out] native  the native handle
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.ptr, cupy.cuda.ExternalStream.ptr, cupy.cuda.Stream.__cuda_stream__,
 *  cupy.cuda.ExternalStream.__cuda_stream__ */
ARR_API arr_status arr_stream_native(arr_stream stream, void **native);

/** Returns the device of a stream.
 *  @param stream  the stream
 *  @param[out] device  the stream's device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.device_id, cupy.cuda.ExternalStream.device_id */
ARR_API arr_status arr_stream_device(arr_stream stream, arr_device *device);

/** Waits until the work in a stream has finished, and reports failures of enqueued work.
 *  @param stream  the stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.synchronize, cupy.cuda.ExternalStream.synchronize, cupy.cuda.runtime.streamSynchronize */
ARR_API arr_status arr_stream_sync(arr_stream stream);

/** Tells whether the work in a stream has finished.
 *  @param stream  the stream
 *  @param[out] done  1 if it has finished, else 0
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.done, cupy.cuda.ExternalStream.done, cupy.cuda.runtime.streamQuery */
ARR_API arr_status arr_stream_query(arr_stream stream, int32_t *done);

/** Makes later work in a stream wait for an event. If the event was recorded in a stream whose work is being captured
 *  (arr_graph_begin), this stream joins that capture. A stream that is being captured can only wait for events of the
 *  same capture: ARR_E_UNSUPPORTED for an event from outside, ARR_E_ARGUMENT for an event of another capture.
 *  @param stream  the stream
 *  @param event  a recorded event of the same device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.wait_event, cupy.cuda.ExternalStream.wait_event, cupy.cuda.runtime.streamWaitEvent */
ARR_API arr_status arr_stream_wait_event(arr_stream stream, arr_event event);

/** Makes later work in a stream wait for all work that is in another stream now. The rules for captures are those of
 *  arr_stream_wait_event.
 *  @param[in,null] stream  the stream that waits; NULL selects the default stream of other's device
 *  @param[in,null] other  a stream on a device of the same type. If both are the same stream the call does nothing.
 *      NULL selects the default stream of stream's device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also between the host and a GPU), ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_stream_wait_stream(arr_stream stream, arr_stream other);

/** Releases a stream. Work in it goes on; a capture that began in it is cancelled. NULL is allowed.
 *  @param[in,null] stream  the stream
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1
 *  @cupy cupy.cuda.runtime.streamDestroy */
ARR_API arr_status arr_stream_release(arr_stream stream);

/* -------------------------------------------------------------------------------------------- events */

#define ARR_EVENT_TIMING 1   /* flag: arr_event_elapsed can use the event */
#define ARR_EVENT_BLOCKING 2 /* flag: a thread that waits for the event sleeps instead of polling */
#define ARR_EVENT_SHARED 4   /* flag: arr_ipc_export_event can share it; not with ARR_EVENT_TIMING */

/** Creates an event: a mark in a stream.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param flags  0, or a sum of ARR_EVENT_TIMING, ARR_EVENT_BLOCKING and ARR_EVENT_SHARED
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED for shared events of the host, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Event, cupy.cuda.runtime.eventCreate, cupy.cuda.runtime.eventCreateWithFlags */
ARR_API arr_status arr_event_create(const arr_device *device, int32_t flags, arr_event *out);

/** Returns the native event (CUevent), borrowed. The host has no native events: ARR_E_UNSUPPORTED.
 *  @param event  the event
 *  @param[out] native  the native handle
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Event.ptr */
ARR_API arr_status arr_event_native(arr_event event, void **native);

/** Records an event after the work that is in a stream now. If the stream is being captured, the event marks a point of
 *  the graph; until it is recorded again only arr_stream_wait_event can use it.
 *  @param event  the event
 *  @param[in,null] stream  the stream to work in; NULL selects the device's default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Event.record, cupy.cuda.Stream.record, cupy.cuda.ExternalStream.record,
 *  cupy.cuda.runtime.eventRecord */
ARR_API arr_status arr_event_record(arr_event event, arr_stream stream);

/** Waits for an event.
 *  @param event  the event
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.cuda.Event.synchronize, cupy.cuda.runtime.eventSynchronize */
ARR_API arr_status arr_event_sync(arr_event event);

/** Tells whether the work before an event has finished.
 *  @param event  the event
 *  @param[out] done  1 if it has finished, else 0
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Event.done, cupy.cuda.runtime.eventQuery */
ARR_API arr_status arr_event_query(arr_event event, int32_t *done);

/** Returns the time between two events that have been reached. Both must have been made with ARR_EVENT_TIMING.
 *  @param start  the earlier event
 *  @param stop  the later event
 *  @param[out] milliseconds  the time in milliseconds
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.get_elapsed_time, cupy.cuda.runtime.eventElapsedTime */
ARR_API arr_status arr_event_elapsed(arr_event start, arr_event stop, double *milliseconds);

/** Releases an event. NULL is allowed.
 *  @param[in,null] event  the event
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1
 *  @cupy cupy.cuda.runtime.eventDestroy */
ARR_API arr_status arr_event_release(arr_event event);

#ifdef __cplusplus
}
#endif
#endif
