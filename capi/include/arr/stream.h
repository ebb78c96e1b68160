/* SPDX-License-Identifier: MIT */
/* stream.h - streams and events. */
#ifndef ARR_STREAM_H
#define ARR_STREAM_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------- streams */

#define ARR_STREAM_BLOCKING 1 /* flag: the stream is ordered with CUDA's legacy default stream */

/** Creates a stream: a queue of work that runs in order.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param flags  0 or ARR_STREAM_BLOCKING
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_stream_create(const arr_device *device, int32_t flags, arr_stream *out);

/** Creates a stream with a priority. The priority is cut to the range of the device.
 *  @param[in,null] device  the device; NULL selects the host, whose streams have no priority
 *  @param flags  0 or ARR_STREAM_BLOCKING
 *  @param priority  streams with lower numbers go first; see arr_stream_priority_range
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_stream_create_priority(const arr_device *device, int32_t flags, int32_t priority,
                                              arr_stream *out);

/** Returns the range of priorities that streams of a device may have.
 *  @param[in,null] device  the device; NULL selects the host, which has priority 0 only
 *  @param[out] least  number of the lowest priority
 *  @param[out] greatest  number of the highest priority; it is less than or equal to that of the lowest
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_stream_priority_range(const arr_device *device, int32_t *least, int32_t *greatest);

/** Returns the flags and the priority of a stream, and whether its work is being captured into a graph.
 *  @param stream  the stream
 *  @param[out] flags  0 or ARR_STREAM_BLOCKING
 *  @param[out] priority  streams with lower numbers go first
 *  @param[out] capturing  true while its work is captured
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_stream_details(arr_stream stream, int32_t *flags, int32_t *priority, bool *capturing);

/** Enqueues a call of a function: it runs after the work that is in the stream now, and before work that is enqueued
 *  later. On a GPU a thread of the driver calls it; the host calls it at once, because its earlier work is done. The
 *  function must not call libarr or CUDA.
 *  @param[in,null] stream  the stream; NULL selects the default stream of the host
 *  @param function  called once as function(ctx)
 *  @param[in,null] ctx  passed to function; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_stream_host_function(arr_stream stream, void (*function)(void *ctx), void *ctx);

/** Wraps a native stream (CUstream). The caller keeps it, and it must outlive the handle.
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] native  the native stream. NULL is CUDA's legacy default stream, (void *)2 is the default stream of
 *      each thread (CUstream has names for both); use a handle to the latter on one thread only
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_stream_wrap(const arr_device *device, void *native, arr_stream *out);

/** Returns the native stream (CUstream), borrowed. The host has no native streams: ARR_E_UNSUPPORTED.
 *  @param stream  the stream
 *  @param[out] native  the native handle
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_stream_native(arr_stream stream, void **native);

/** Returns the device of a stream.
 *  @param stream  the stream
 *  @param[out] device  the stream's device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_stream_device(arr_stream stream, arr_device *device);

/** Waits until the work in a stream has finished, and reports failures of enqueued work.
 *  @param stream  the stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes */
ARR_API arr_status arr_stream_sync(arr_stream stream);

/** Tests whether the work in a stream has finished.
 *  @param stream  the stream
 *  @param[out] done  true if it has finished
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_stream_query(arr_stream stream, bool *done);

/** Makes later work in a stream wait for an event. If the event was recorded in a stream whose work is being captured
 *  (arr_graph_begin), this stream joins that capture. A stream that is being captured can only wait for events of the
 *  same capture: ARR_E_UNSUPPORTED for an event from outside, ARR_E_ARGUMENT for an event of another capture.
 *  @param stream  the stream
 *  @param event  a recorded event of the same device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_stream_wait_event(arr_stream stream, arr_event event);

/** Makes later work in a stream wait for all work that is in another stream now. The rules for captures are those of
 *  arr_stream_wait_event.
 *  @param[in,null] stream  the stream that waits; NULL selects the default stream of other's device
 *  @param[in,null] other  a stream on a device of the same type. If both are the same stream the call does nothing.
 *      NULL selects the default stream of stream's device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also between the host and a GPU), ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_stream_wait_stream(arr_stream stream, arr_stream other);

/** Releases a stream. Work in it goes on; a capture that began in it is cancelled. NULL is allowed.
 *  @param[in,null] stream  the stream
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
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
 *  @sync no */
ARR_API arr_status arr_event_create(const arr_device *device, int32_t flags, arr_event *out);

/** Returns the native event (CUevent), borrowed. The host has no native events: ARR_E_UNSUPPORTED.
 *  @param event  the event
 *  @param[out] native  the native handle
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_event_native(arr_event event, void **native);

/** Records an event after the work that is in a stream now. If the stream is being captured, the event marks a point of
 *  the graph; until it is recorded again only arr_stream_wait_event can use it.
 *  @param event  the event
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_event_record(arr_event event, arr_stream stream);

/** Waits for an event.
 *  @param event  the event
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes */
ARR_API arr_status arr_event_sync(arr_event event);

/** Tests whether the work before an event has finished.
 *  @param event  the event
 *  @param[out] done  true if it has finished
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_event_query(arr_event event, bool *done);

/** Returns the time between two events that have been reached. Both must have been made with ARR_EVENT_TIMING.
 *  @param start  the earlier event
 *  @param stop  the later event
 *  @param[out] milliseconds  the time in milliseconds
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_event_elapsed(arr_event start, arr_event stop, double *milliseconds);

/** Releases an event. NULL is allowed.
 *  @param[in,null] event  the event
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_event_release(arr_event event);

#ifdef __cplusplus
}
#endif
#endif
