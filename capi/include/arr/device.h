/* SPDX-License-Identifier: MIT */
/* device.h - devices and backends, streams and events. */
#ifndef ARR_DEVICE_H
#define ARR_DEVICE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------- devices */

#define ARR_REQUIRE_GPU 1 /* flag: no GPU is an error, never the host */

/** Picks a device: what the environment variable ARR_DEVICE names ("host", "cuda", "cuda:1") or else the
 *  first working GPU, or else the host. A device that was asked for and does not work is an error that
 *  lists what was tried; nothing falls back in silence.
 *  @param flags  0 or ARR_REQUIRE_GPU
 *  @param[out] out  the device
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device, cupy.cuda.Device.id, cupy.cuda.Device.__int__, cupy.is_available, cupy.cuda.is_available */
ARR_API arr_status arr_device_select(int32_t flags, arr_device *out);

/** How many devices of a type there are; 0 where the backend does not work.
 *  @param type  ARR_HOST or ARR_CUDA
 *  @param[out] count  the number
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.getDeviceCount */
ARR_API arr_status arr_device_count(int32_t type, int32_t *count);

/** Name of a device for people.
 *  @param[in,null] device  where (NULL: the host)
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the name, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole name without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_device_name(const arr_device *device, int64_t capacity, char *text, int64_t *length);

/** What a device is. -1 stands for what it does not have or the driver does not tell. */
typedef struct arr_device_properties {
  int64_t struct_size;                  /* sizeof(arr_device_properties), set by the caller */
  int64_t compute_major;                /* CUDA's compute capability */
  int64_t compute_minor;                /* its second number */
  int64_t multiprocessors;              /* of the host: its processors */
  int64_t warp_size;                    /* threads */
  int64_t threads_per_block;            /* at most */
  int64_t threads_per_multiprocessor;   /* at most */
  int64_t shared_bytes_per_block;       /* of shared memory, at most */
  int64_t shared_bytes_per_block_optin; /* for kernels that ask for more */
  int64_t registers_per_block;          /* of 32 bits, at most */
  int64_t clock_khz;                    /* of the processors */
  int64_t memory_clock_khz;             /* of the memory */
  int64_t memory_bus_bits;              /* width of the memory's bus */
  int64_t l2_bytes;                     /* of the level 2 cache */
  int64_t memory_bytes;                 /* of the device */
  int64_t integrated;                   /* 1: shares its memory with the host */
  int64_t managed_memory;               /* 1: memory that host and device both address */
  int64_t memory_pools;                 /* 1: the driver's stream-ordered allocator */
  int64_t cooperative_launch;           /* 1: kernels may synchronise their whole grid */
} arr_device_properties;

/** Fills in what a device is.
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,out] properties  struct_size is read, the rest written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device.compute_capability, cupy.cuda.device.get_compute_capability,
 *  cupy.cuda.runtime.getDeviceProperties */
ARR_API arr_status arr_device_info(const arr_device *device, arr_device_properties *properties);

/** An attribute of a CUDA device by the driver's name for it, such as "MAX_THREADS_PER_BLOCK" (what follows
 *  CU_DEVICE_ATTRIBUTE_ there), in letters of any case.
 *  @param[in,null] device  where (NULL: the host, which has none)
 *  @param[in,bytes=length] name  the attribute
 *  @param length  bytes of name, -1 where it ends in NUL
 *  @param[out] value  what the driver says; -1 where this driver does not know the attribute
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device.attributes, cupy.cuda.runtime.deviceGetAttribute */
ARR_API arr_status arr_device_attribute(const arr_device *device, const char *name, int64_t length,
                                        int64_t *value);

/** Where a device is on the PCI bus, "0000:3b:00.0"; nothing for the host.
 *  @param[in,null] device  where (NULL: the host)
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the place, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device.pci_bus_id, cupy.cuda.runtime.deviceGetPCIBusId */
ARR_API arr_status arr_device_pci(const arr_device *device, int64_t capacity, char *text, int64_t *length);

/** A device's name in the world, "GPU-6f0b.." as other tools show it; nothing for the host.
 *  @param[in,null] device  where (NULL: the host)
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the name, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole name without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_device_uuid(const arr_device *device, int64_t capacity, char *text, int64_t *length);

/** The CUDA device of a place on the PCI bus.
 *  @param[in,bytes=length] pci  as arr_device_pci returns it, in letters of any case
 *  @param length  bytes of pci, -1 where it ends in NUL
 *  @param[out] out  the device
 *  @return ARR_OK, ARR_E_ARGUMENT where there is none
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device.from_pci_bus_id, cupy.cuda.runtime.deviceGetByPCIBusId */
ARR_API arr_status arr_device_find_pci(const char *pci, int64_t length, arr_device *out);

/** What devices must have to be listed; 0 asks for nothing. */
typedef struct arr_device_filter {
  int64_t struct_size;  /* sizeof(arr_device_filter), set by the caller */
  int64_t type;         /* ARR_HOST or ARR_CUDA; 0 for both */
  int64_t compute;      /* at least this capability: 10 * major + minor; leaves out the host */
  int64_t memory_bytes; /* at least so much in all */
  int64_t free_bytes;   /* at least so much free now */
  const char *name;     /* contained in the name, in letters of any case; NULL for any */
  int64_t name_length;  /* bytes of name, -1 where it ends in NUL */
} arr_device_filter;

/** The devices that a filter lets through, GPUs first, by their index.
 *  @param[in,null] filter  what they must have; NULL for nothing
 *  @param seconds  how long to wait for the first one, looking ten times a second; 0 not at all
 *  @param capacity  room at devices
 *  @param[out,null,len=capacity] devices  the devices; may be NULL when capacity is 0
 *  @param[out] count  how many there are, also beyond the capacity
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_device_list(const arr_device_filter *filter, double seconds, int32_t capacity,
                                   arr_device *devices, int32_t *count);

/** Whether a device can use the memory of another directly.
 *  @param[in,null] device  the one that would read and write (NULL: the host)
 *  @param[in,null] peer  the one with the memory (NULL: the host)
 *  @param[out] possible  1 or 0
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.deviceCanAccessPeer */
ARR_API arr_status arr_device_peer_possible(const arr_device *device, const arr_device *peer,
                                            int32_t *possible);

/** Lets a device use the memory of another directly, or no longer.
 *  @param[in,null] device  the one that reads and writes (NULL: the host)
 *  @param[in,null] peer  the one with the memory, of the same type (NULL: the host)
 *  @param enable  1 or 0; as it is already is no error
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.deviceEnablePeerAccess, cupy.cuda.runtime.deviceDisablePeerAccess */
ARR_API arr_status arr_device_peer(const arr_device *device, const arr_device *peer, int32_t enable);

#define ARR_LIMIT_STACK_BYTES 0      /* of each thread's stack */
#define ARR_LIMIT_PRINTF_BYTES 1     /* of the buffer that printf in kernels writes to */
#define ARR_LIMIT_HEAP_BYTES 2       /* of the heap that malloc in kernels takes from */
#define ARR_LIMIT_SYNC_DEPTH 3       /* how deep kernels that kernels launched may wait; not on newer GPUs */
#define ARR_LIMIT_PENDING_LAUNCHES 4 /* launches by kernels that may wait to run */
#define ARR_LIMIT_L2_FETCH_BYTES 5   /* that the L2 cache fetches at once, 0 .. 128: a hint */
#define ARR_LIMIT_PERSISTING_L2_BYTES 6 /* of the L2 cache that may be set aside for data that stays */

/** A limit of what kernels may use on a device, as it is now.
 *  @param[in,null] device  where (NULL: the host, which has no such limits)
 *  @param limit  ARR_LIMIT_...
 *  @param[out] value  bytes, or a number of launches or levels
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED where the device has no such limit, ARR_E_UNAVAILABLE,
 *          ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.deviceGetLimit */
ARR_API arr_status arr_device_limit(const arr_device *device, int32_t limit, int64_t *value);

/** Asks for another limit of what kernels may use on a device, for all of the program. The driver may round the
 *  value or cut it to what the device has: arr_device_limit tells. That of printf's buffer and of malloc's heap
 *  can be changed only until a kernel that uses them has run.
 *  @param[in,null] device  where (NULL: the host, which has no such limits)
 *  @param limit  ARR_LIMIT_...
 *  @param value  bytes, or a number of launches or levels; 0 or more
 *  @return ARR_OK, ARR_E_ARGUMENT where the driver refuses the value, ARR_E_UNSUPPORTED where the device has no
 *          such limit, ARR_E_MEMORY, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync may   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.deviceSetLimit */
ARR_API arr_status arr_device_set_limit(const arr_device *device, int32_t limit, int64_t value);

/** Waits until all work on a device is done; reports failures of enqueued work.
 *  @param[in,null] device  where (NULL: the host)
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device.synchronize, cupy.cuda.runtime.deviceSynchronize */
ARR_API arr_status arr_device_sync(const arr_device *device);

#define ARR_BACKEND_ABSENT 0  /* not built, or its module was not found */
#define ARR_BACKEND_BROKEN 1  /* the module was loaded, but a driver, library or device is missing */
#define ARR_BACKEND_WORKING 2 /* ready */

/** Tells whether a backend works, and each path tried with the loader's own message.
 *  @param type  ARR_HOST or ARR_CUDA
 *  @param[out] state  ARR_BACKEND_ABSENT, _BROKEN or _WORKING
 *  @param capacity  bytes at report, its closing NUL included
 *  @param[out,null,bytes=capacity] report  lines of text, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole report without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_backend_probe(int32_t type, int32_t *state, int64_t capacity, char *report,
                                     int64_t *length);

/* ------------------------------------------------------------------------------------------- streams */

#define ARR_STREAM_BLOCKING 1 /* flag: ordered with the legacy default stream of CUDA */

/** Creates a stream: a queue of work in order.
 *  @param[in,null] device  where (NULL: the host)
 *  @param flags  0 or ARR_STREAM_BLOCKING
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream, cupy.cuda.runtime.streamCreate, cupy.cuda.runtime.streamCreateWithFlags */
ARR_API arr_status arr_stream_create(const arr_device *device, int32_t flags, arr_stream *out);

/** Creates a stream of a priority, which is lowered or raised to what the device has.
 *  @param[in,null] device  where (NULL: the host, whose streams have none)
 *  @param flags  0 or ARR_STREAM_BLOCKING
 *  @param priority  a lower number goes first; see arr_stream_priority_range
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.streamCreateWithPriority */
ARR_API arr_status arr_stream_create_priority(const arr_device *device, int32_t flags, int32_t priority,
                                              arr_stream *out);

/** The priorities that streams of a device may have.
 *  @param[in,null] device  where (NULL: the host, which has only 0)
 *  @param[out] least  the number of the lowest priority
 *  @param[out] greatest  the number of the highest, which is not above it
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_stream_priority_range(const arr_device *device, int32_t *least, int32_t *greatest);

/** How a stream was made, and whether its work is being captured into a graph.
 *  @param stream  the stream
 *  @param[out] flags  0 or ARR_STREAM_BLOCKING
 *  @param[out] priority  a lower number goes first
 *  @param[out] capturing  1 while its work is captured, else 0
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.is_non_blocking, cupy.cuda.Stream.priority, cupy.cuda.Stream.is_capturing,
 *  cupy.cuda.ExternalStream.is_non_blocking, cupy.cuda.ExternalStream.priority,
 *  cupy.cuda.ExternalStream.is_capturing, cupy.cuda.runtime.streamGetFlags, cupy.cuda.runtime.streamGetPriority,
 *  cupy.cuda.runtime.streamIsCapturing */
ARR_API arr_status arr_stream_details(arr_stream stream, int32_t *flags, int32_t *priority,
                                      int32_t *capturing);

/** Calls a function behind the work that is in a stream now, and before what is enqueued later, on a thread of
 *  the driver's; the host calls it at once, for its work is done. It may call nothing of libarr or CUDA.
 *  @param[in,null] stream  the stream to work in (NULL: the host's)
 *  @param function  called once as function(ctx)
 *  @param[in,null] ctx  passed to it; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.launch_host_func, cupy.cuda.Stream.add_callback,
 *  cupy.cuda.ExternalStream.launch_host_func, cupy.cuda.ExternalStream.add_callback,
 *  cupy.cuda.runtime.launchHostFunc, cupy.cuda.runtime.streamAddCallback */
ARR_API arr_status arr_stream_host_function(arr_stream stream, void (*function)(void *ctx), void *ctx);

/** Wraps a native stream (CUstream), which stays the caller's and must outlive the handle.
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] native  the native stream; NULL is CUDA's legacy default stream, (void *)2 that of each thread
 *      (CUstream has these names): a handle to the latter is used on one thread
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.ExternalStream, cupy.cuda.Stream.from_external, interop: __cuda_stream__ protocol (import/export),
 *  cupy.cuda.Stream.null, cupy.cuda.ExternalStream.null, cupy.cuda.Stream.ptds, cupy.cuda.ExternalStream.ptds */
ARR_API arr_status arr_stream_wrap(const arr_device *device, void *native, arr_stream *out);

/** The native stream (CUstream), borrowed. The host has none: ARR_E_UNSUPPORTED.
 *  @param stream  the stream
 *  @param[out] native  the native handle
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.ptr, cupy.cuda.ExternalStream.ptr, cupy.cuda.Stream.__cuda_stream__,
 *  cupy.cuda.ExternalStream.__cuda_stream__ */
ARR_API arr_status arr_stream_native(arr_stream stream, void **native);

/** The device of a stream.
 *  @param stream  the stream
 *  @param[out] device  its device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.device_id, cupy.cuda.ExternalStream.device_id */
ARR_API arr_status arr_stream_device(arr_stream stream, arr_device *device);

/** Waits until the work in a stream is done; reports failures of enqueued work.
 *  @param stream  the stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.synchronize, cupy.cuda.ExternalStream.synchronize, cupy.cuda.runtime.streamSynchronize */
ARR_API arr_status arr_stream_sync(arr_stream stream);

/** Whether the work in a stream is done.
 *  @param stream  the stream
 *  @param[out] done  1 when done, 0 when not
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.done, cupy.cuda.ExternalStream.done, cupy.cuda.runtime.streamQuery */
ARR_API arr_status arr_stream_query(arr_stream stream, int32_t *done);

/** Makes later work in a stream wait for an event. By an event that was recorded in a stream whose work is being
 *  captured (arr_graph_begin) this one joins that capture. One that is being captured waits for events of the
 *  same capture alone: ARR_E_UNSUPPORTED for those from outside, ARR_E_ARGUMENT for those of another capture.
 *  @param stream  the stream
 *  @param event  a recorded event of the same device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.wait_event, cupy.cuda.ExternalStream.wait_event, cupy.cuda.runtime.streamWaitEvent */
ARR_API arr_status arr_stream_wait_event(arr_stream stream, arr_event event);

/** Makes later work in a stream wait for all that is in another now. In captures it is as with an event.
 *  @param[in,null] stream  the one that waits (NULL: the default of the other's device)
 *  @param[in,null] other  of the same type of device; the same stream is no wait (NULL: the default of stream's device)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT also between the host and a GPU, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_stream_wait_stream(arr_stream stream, arr_stream other);

/** Releases a stream; work in it goes on, a capture that began in it is given up. NULL is fine.
 *  @param[in,null] stream  the stream
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1
 *  @cupy cupy.cuda.runtime.streamDestroy */
ARR_API arr_status arr_stream_release(arr_stream stream);

/* -------------------------------------------------------------------------------------------- events */

#define ARR_EVENT_TIMING 1   /* flag: arr_event_elapsed can use it */
#define ARR_EVENT_BLOCKING 2 /* flag: who waits for it sleeps, instead of asking again and again */
#define ARR_EVENT_SHARED 4   /* flag: arr_ipc_export_event can share it; not with ARR_EVENT_TIMING */

/** Creates an event: a mark in a stream.
 *  @param[in,null] device  where (NULL: the host)
 *  @param flags  0, or some of ARR_EVENT_TIMING, ARR_EVENT_BLOCKING and ARR_EVENT_SHARED added up
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED for shared events of the host, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Event, cupy.cuda.runtime.eventCreate, cupy.cuda.runtime.eventCreateWithFlags */
ARR_API arr_status arr_event_create(const arr_device *device, int32_t flags, arr_event *out);

/** The native event (CUevent), borrowed. The host has none: ARR_E_UNSUPPORTED.
 *  @param event  the event
 *  @param[out] native  the native handle
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Event.ptr */
ARR_API arr_status arr_event_native(arr_event event, void **native);

/** Records an event behind the work that is in a stream now. Where that is being captured the event marks a point
 *  of the graph, for arr_stream_wait_event alone, until it is recorded anew.
 *  @param event  the event
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
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

/** Whether the work before an event is done.
 *  @param event  the event
 *  @param[out] done  1 when done, 0 when not
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Event.done, cupy.cuda.runtime.eventQuery */
ARR_API arr_status arr_event_query(arr_event event, int32_t *done);

/** Time between two events that have been reached, both made with ARR_EVENT_TIMING.
 *  @param start  the earlier event
 *  @param stop  the later event
 *  @param[out] milliseconds  the time in ms
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.get_elapsed_time, cupy.cuda.runtime.eventElapsedTime */
ARR_API arr_status arr_event_elapsed(arr_event start, arr_event stop, double *milliseconds);

/** Releases an event. NULL is fine.
 *  @param[in,null] event  the event
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1
 *  @cupy cupy.cuda.runtime.eventDestroy */
ARR_API arr_status arr_event_release(arr_event event);

#ifdef __cplusplus
}
#endif
#endif
