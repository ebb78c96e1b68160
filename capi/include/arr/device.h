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
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_device_select(int32_t flags, arr_device *out);

/** How many devices of a type there are; 0 where the backend does not work.
 *  @param type  ARR_HOST or ARR_CUDA
 *  @param[out] count  the number
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.getDeviceCount */
ARR_API arr_status arr_device_count(int32_t type, int32_t *count);

/** Name of a device for people.
 *  @param device  where (NULL: the host)
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out] text  the name, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole name without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_device_name(const arr_device *device, int64_t capacity, char *text, int64_t *length);

/** Waits until all work on a device is done; reports failures of enqueued work.
 *  @param device  where (NULL: the host)
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.cuda.Device.synchronize */
ARR_API arr_status arr_device_sync(const arr_device *device);

#define ARR_BACKEND_ABSENT 0  /* not built, or its module was not found */
#define ARR_BACKEND_BROKEN 1  /* the module was loaded, but a driver, library or device is missing */
#define ARR_BACKEND_WORKING 2 /* ready */

/** Tells whether a backend works, and each path tried with the loader's own message.
 *  @param type  ARR_HOST or ARR_CUDA
 *  @param[out] state  ARR_BACKEND_ABSENT, _BROKEN or _WORKING
 *  @param capacity  bytes at report, its closing NUL included
 *  @param[out] report  lines of text, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole report without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_backend_probe(int32_t type, int32_t *state, int64_t capacity, char *report,
                                     int64_t *length);

/* ------------------------------------------------------------------------------------------- streams */

#define ARR_STREAM_BLOCKING 1 /* flag: ordered with the legacy default stream of CUDA */

/** Creates a stream: a queue of work in order.
 *  @param device  where (NULL: the host)
 *  @param flags  0 or ARR_STREAM_BLOCKING
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream */
ARR_API arr_status arr_stream_create(const arr_device *device, int32_t flags, arr_stream *out);

/** Wraps a native stream (CUstream), which stays the caller's and must outlive the handle.
 *  @param device  where (NULL: the host)
 *  @param native  the native stream; NULL is CUDA's legacy default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.ExternalStream */
ARR_API arr_status arr_stream_wrap(const arr_device *device, void *native, arr_stream *out);

/** The native stream (CUstream), borrowed. The host has none: ARR_E_UNSUPPORTED.
 *  @param stream  the stream
 *  @param[out] native  the native handle
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.ptr */
ARR_API arr_status arr_stream_native(arr_stream stream, void **native);

/** The device of a stream.
 *  @param stream  the stream
 *  @param[out] device  its device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_stream_device(arr_stream stream, arr_device *device);

/** Waits until the work in a stream is done; reports failures of enqueued work.
 *  @param stream  the stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.synchronize */
ARR_API arr_status arr_stream_sync(arr_stream stream);

/** Whether the work in a stream is done.
 *  @param stream  the stream
 *  @param[out] done  1 when done, 0 when not
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.done */
ARR_API arr_status arr_stream_query(arr_stream stream, int32_t *done);

/** Makes later work in a stream wait for an event.
 *  @param stream  the stream
 *  @param event  a recorded event of the same device
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Stream.wait_event */
ARR_API arr_status arr_stream_wait_event(arr_stream stream, arr_event event);

/** Releases a stream; work in it goes on. NULL is fine.
 *  @param stream  the stream
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1 */
ARR_API arr_status arr_stream_release(arr_stream stream);

/* -------------------------------------------------------------------------------------------- events */

#define ARR_EVENT_TIMING 1 /* flag: arr_event_elapsed can use it */

/** Creates an event: a mark in a stream.
 *  @param device  where (NULL: the host)
 *  @param flags  0 or ARR_EVENT_TIMING
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Event */
ARR_API arr_status arr_event_create(const arr_device *device, int32_t flags, arr_event *out);

/** Records an event behind the work that is in a stream now.
 *  @param event  the event
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Event.record */
ARR_API arr_status arr_event_record(arr_event event, arr_stream stream);

/** Waits for an event.
 *  @param event  the event
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.cuda.Event.synchronize */
ARR_API arr_status arr_event_sync(arr_event event);

/** Whether the work before an event is done.
 *  @param event  the event
 *  @param[out] done  1 when done, 0 when not
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.Event.done */
ARR_API arr_status arr_event_query(arr_event event, int32_t *done);

/** Time between two events that have been reached, both made with ARR_EVENT_TIMING.
 *  @param start  the earlier event
 *  @param stop  the later event
 *  @param[out] milliseconds  the time in ms
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.get_elapsed_time */
ARR_API arr_status arr_event_elapsed(arr_event start, arr_event stop, double *milliseconds);

/** Releases an event. NULL is fine.
 *  @param event  the event
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1 */
ARR_API arr_status arr_event_release(arr_event event);

#ifdef __cplusplus
}
#endif
#endif
