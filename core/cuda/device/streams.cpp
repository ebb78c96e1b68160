// SPDX-License-Identifier: MIT
// Streams and events.
#include "backend/stream.h"

#include "cuda/device/device.h"
#include "cuda/tables.h"

namespace arr::cuda {

namespace {

// Flags of the C API (arr/device.h), which the backend gets as they are.
constexpr int32_t stream_blocking = 1, event_timing = 1, event_blocking = 2, event_shared = 4;

CUevent event_of(void* e) { return static_cast<CUevent>(e); }

int32_t stream_create(int32_t device, int32_t flags, void** stream, BackendError* error) {
  return translate_exceptions(error, [&] {
    if ((flags & ~stream_blocking) != 0) fail(ARR_E_ARGUMENT, "argument flags: ", flags, " has unknown bits");
    const Call call(device, nullptr);
    CUstream handle = nullptr;
    call.device.check(
        driver().cuStreamCreate(&handle, (flags & stream_blocking) != 0 ? 0 : CU_STREAM_NON_BLOCKING),
        "cuStreamCreate");
    *stream = call.device.add_stream(handle, true);
  });
}

int32_t priority_range(int32_t device, int32_t* least, int32_t* greatest, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    int low = 0, high = 0;
    call.device.check(driver().cuCtxGetStreamPriorityRange(&low, &high), "cuCtxGetStreamPriorityRange");
    *least = low;
    *greatest = high;
  });
}

int32_t stream_create_priority(int32_t device, int32_t flags, int32_t priority, void** stream,
                               BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    CUstream handle = nullptr;
    const unsigned how = flags != 0 ? 0 : CU_STREAM_NON_BLOCKING;
    call.device.check(driver().cuStreamCreateWithPriority(&handle, how, priority),
                      "cuStreamCreateWithPriority");
    *stream = call.device.add_stream(handle, true);
  });
}

int32_t stream_details(int32_t device, void* stream, int32_t* flags, int32_t* priority, int32_t* capturing,
                       BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, stream);
    CUstream s = call.stream.handle;
    unsigned how = 0;
    int level = 0;
    CUstreamCaptureStatus status = 0;
    call.device.check(driver().cuStreamGetFlags(s, &how), "cuStreamGetFlags");
    call.device.check(driver().cuStreamGetPriority(s, &level), "cuStreamGetPriority");
    call.device.check(driver().cuStreamIsCapturing(s, &status), "cuStreamIsCapturing");
    *flags = (how & CU_STREAM_NON_BLOCKING) != 0 ? 0 : 1;
    *priority = level;
    *capturing = status != CU_STREAM_CAPTURE_STATUS_NONE ? 1 : 0;
  });
}

int32_t host_function(int32_t device, void* stream, void (*function)(void*), void* ctx, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, stream);
    call.device.check(driver().cuLaunchHostFunc(call.stream.handle, function, ctx), "cuLaunchHostFunc",
                      &call.stream);
  });
}

int32_t stream_wrap(int32_t device, void* native, void** stream, BackendError* error) {
  return translate_exceptions(
      error, [&] { *stream = Device::get(device).add_stream(static_cast<CUstream>(native), false); });
}

int32_t stream_destroy(int32_t device, void* stream, BackendError* error) {
  return translate_exceptions(error, [&] {
    if (driver_initialized_before_fork()) return;
    Device* d = Device::find(device);
    if (d == nullptr || stream == nullptr) fail(ARR_E_ARGUMENT, "argument stream: not one of this device");
    const Current current(*d, std::nothrow);
    d->remove_stream(static_cast<Stream*>(stream));
  });
}

int32_t stream_native(int32_t device, void* stream, void** native, BackendError* error) {
  return translate_exceptions(error, [&] { *native = Device::get(device).stream(stream).handle; });
}

int32_t stream_sync(int32_t device, void* stream, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, stream);
    refuse_capture(call.stream);
    call.device.check(driver().cuStreamSynchronize(call.stream.handle), "cuStreamSynchronize", &call.stream);
    call.device.error_flags.report(&call.stream);
  });
}

int32_t stream_query(int32_t device, void* stream, int32_t* done, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, stream);
    refuse_capture(call.stream);
    CUresult r = driver().cuStreamQuery(call.stream.handle);
    if (r != CUDA_ERROR_NOT_READY) call.device.check(r, "cuStreamQuery", &call.stream);
    if (r == CUDA_SUCCESS) call.device.error_flags.report(&call.stream);
    *done = r == CUDA_SUCCESS ? 1 : 0;
  });
}

int32_t stream_wait_stream(int32_t device, void* waiter, void* first, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, waiter);
    wait_stream(call.device, call.stream, call.device.stream(first));
  });
}

int32_t stream_wait_event(int32_t device, void* stream, void* event, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, stream);
    call.device.check(driver().cuStreamWaitEvent(call.stream.handle, event_of(event), 0), "cuStreamWaitEvent",
                      &call.stream);
  });
}

int32_t event_create(int32_t device, int32_t flags, void** event, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    CUevent e = nullptr;
    const unsigned how = ((flags & event_timing) != 0 ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING) |
                         ((flags & event_blocking) != 0 ? CU_EVENT_BLOCKING_SYNC : 0U) |
                         ((flags & event_shared) != 0 ? CU_EVENT_INTERPROCESS : 0U);
    call.device.check(driver().cuEventCreate(&e, how), "cuEventCreate");
    *event = e;
  });
}

int32_t event_destroy(int32_t device, void* event, BackendError* error) {
  return translate_exceptions(error, [&] {
    Device* d = Device::find(device);
    if (d == nullptr || d->lost()) return;  // gone with its context
    const Current current(*d, std::nothrow);
    d->note(driver().cuEventDestroy_v2(event_of(event)), "cuEventDestroy");
  });
}

int32_t event_record(int32_t device, void* event, void* stream, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, stream);
    call.device.check(driver().cuEventRecord(event_of(event), call.stream.handle), "cuEventRecord",
                      &call.stream);
  });
}

int32_t event_sync(int32_t device, void* event, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    call.device.check(driver().cuEventSynchronize(event_of(event)), "cuEventSynchronize");
    call.device.error_flags.report(nullptr);
  });
}

int32_t event_query(int32_t device, void* event, int32_t* done, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    CUresult r = driver().cuEventQuery(event_of(event));
    if (r != CUDA_ERROR_NOT_READY) call.device.check(r, "cuEventQuery");
    if (r == CUDA_SUCCESS) call.device.error_flags.report(nullptr);
    *done = r == CUDA_SUCCESS ? 1 : 0;
  });
}

int32_t event_elapsed(int32_t device, void* start, void* stop, double* milliseconds, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    float ms = 0;
    CUresult r = driver().cuEventElapsedTime(&ms, event_of(start), event_of(stop));
    if (r == CUDA_ERROR_NOT_READY) fail(ARR_E_ARGUMENT, "argument stop: the event has not been reached yet");
    if (r == CUDA_ERROR_INVALID_HANDLE) {
      fail(ARR_E_ARGUMENT, "argument start: both events must have been made for timing and recorded");
    }
    call.device.check(r, "cuEventElapsedTime");
    *milliseconds = static_cast<double>(ms);
  });
}

}  // namespace

const StreamApi stream_api = {
    .create = stream_create,
    .create_with_priority = stream_create_priority,
    .priority_range = priority_range,
    .wrap = stream_wrap,
    .destroy = stream_destroy,
    .native = stream_native,
    .details = stream_details,
    .sync = stream_sync,
    .query = stream_query,
    .wait_stream = stream_wait_stream,
    .wait_event = stream_wait_event,
    .host_function = host_function,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_sync = event_sync,
    .event_query = event_query,
    .event_elapsed = event_elapsed,
};

}  // namespace arr::cuda
