// SPDX-License-Identifier: MIT
// device.h and stream.h: devices, streams, events.
#include "runtime/devices.h"

#include "backend/device.h"
#include "backend/interface.h"
#include "backend/stream.h"
#include "base/renaming.h"
#include "base/thread_limit.h"
#include "capi/src/entry.h"
#include "ops/elementwise/fuse/fuse.h"
#include "runtime/captures.h"
#include "runtime/graphs.h"

using namespace arr::capi;
using arr::Device;
using arr::Event;
using arr::Stream;

arr_status arr_device_select(int32_t flags, arr_device* out) {
  return guard("arr_device_select", [&] {
    check_pointer(out, "out");
    check_flags(flags, ARR_REQUIRE_GPU);
    Device d = arr::select_device((flags & ARR_REQUIRE_GPU) != 0);
    *out = {d.type, d.index};
  });
}

arr_status arr_set_threads(int32_t n) {
  return guard("arr_set_threads", [&] {
    if (n < 0 || n > arr::max_thread_limit) {
      arr::fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected 0 to ", arr::max_thread_limit);
    }
    arr::host_backend();  // which then follows the limit
    arr::set_thread_limit(n);
  });
}

arr_status arr_threads(int32_t* n) {
  return guard("arr_threads", [&] {
    check_pointer(n, "n");
    *n = arr::thread_limit();
  });
}

arr_status arr_device_count(int32_t type, int32_t* count) {
  return guard("arr_device_count", [&] {
    check_pointer(count, "count");
    int32_t n = 0;
    if (arr::backend_state(type).state == ARR_BACKEND_WORKING)
      arr::call(arr::api<arr::DeviceApi>(arr::backend(type)).count, &n);
    *count = n;
  });
}

arr_status arr_device_name(const arr_device* device, int64_t capacity, char* text, int64_t* length) {
  return guard("arr_device_name", [&] {
    Device d = arr::device_from(device);
    std::string name;
    arr::call(arr::api<arr::DeviceApi>(d).name, d.index, &name);
    put_text(name, capacity, text, length);
  });
}

arr_status arr_device_sync(const arr_device* device) {
  return guard("arr_device_sync", [&] {
    Device d = arr::device_from(device);
    arr::fuse_flush();
    arr::call(arr::api<arr::DeviceApi>(d).sync, d.index);
  });
}

arr_status arr_backend_probe(int32_t type, int32_t* state, int64_t capacity, char* report, int64_t* length) {
  return guard("arr_backend_probe", [&] {
    check_pointer(state, "state");
    const arr::BackendState& s = arr::backend_state(type);
    put_text(s.report, capacity, report, length);
    *state = s.state;
  });
}

arr_status arr_stream_create(const arr_device* device, int32_t flags, arr_stream* out) {
  return guard("arr_stream_create", [&] {
    check_pointer(out, "out");
    check_flags(flags, ARR_STREAM_BLOCKING);
    Device d = arr::device_from(device);
    void* handle = nullptr;
    arr::call(arr::api<arr::StreamApi>(d).create, d.index, flags, &handle);
    publish<Stream>(arr::make<Stream>(d, handle, true), out);
  });
}

arr_status arr_stream_wrap(const arr_device* device, void* native, arr_stream* out) {
  return guard("arr_stream_wrap", [&] {
    check_pointer(out, "out");
    Device d = arr::device_from(device);
    void* handle = nullptr;
    arr::call(arr::api<arr::StreamApi>(d).wrap, d.index, native, &handle);
    // This object destroys the backend's wrapper, which does not destroy the native stream.
    publish<Stream>(arr::make<Stream>(d, handle, true), out);
  });
}

arr_status arr_stream_native(arr_stream stream, void** native) {
  return guard("arr_stream_native", [&] {
    check_pointer(native, "native");
    auto s = lookup<Stream>(stream, "stream");
    arr::call(arr::api<arr::StreamApi>(s->device()).native, s->device().index, s->handle(), native);
  });
}

arr_status arr_stream_device(arr_stream stream, arr_device* device) {
  return guard("arr_stream_device", [&] {
    check_pointer(device, "device");
    Device d = lookup<Stream>(stream, "stream")->device();
    *device = {d.type, d.index};
  });
}

arr_status arr_stream_sync(arr_stream stream) {
  return guard("arr_stream_sync", [&] {
    auto s = lookup<Stream>(stream, "stream");
    arr::fuse_flush();
    arr::call(arr::api<arr::StreamApi>(s->device()).sync, s->device().index, s->handle());
  });
}

arr_status arr_stream_query(arr_stream stream, bool* done) {
  return guard("arr_stream_query", [&] {
    check_pointer(done, "done");
    auto s = lookup<Stream>(stream, "stream");
    int32_t finished = 0;
    arr::call(arr::api<arr::StreamApi>(s->device()).query, s->device().index, s->handle(), &finished);
    *done = finished != 0;
  });
}

arr_status arr_stream_wait_event(arr_stream stream, arr_event event) {
  return guard("arr_stream_wait_event", [&] {
    auto s = lookup<Stream>(stream, "stream");
    auto e = lookup<Event>(event, "event");
    if (!(s->device() == e->device()))
      arr::fail(ARR_E_ARGUMENT, "argument event: the event is on another device");
    arr::fuse_flush();  // earlier operations do not wait for the event
    arr::wait_event(*s, *e);
  });
}

arr_status arr_stream_wait_stream(arr_stream stream_handle, arr_stream other) {
  return guard("arr_stream_wait_stream", [&] {
    auto s = stream(stream_handle);
    auto o = other == nullptr ? stream(nullptr) : lookup<Stream>(other, "other");
    if (s.get() == nullptr && o.get() == nullptr) return;
    arr::fuse_flush();  // earlier operations are in their streams
    Stream& waits = s.get() != nullptr ? *s : arr::default_stream(o->device());
    arr::wait_stream(waits, o.get() != nullptr ? *o : arr::default_stream(waits.device()));
  });
}

arr_status arr_stream_release(arr_stream stream) {
  // Without this handle no call can end a capture that began in the stream.
  if (arr::Object* s = arr::handles().pin(bits(stream), arr::Kind::stream); s != nullptr) {
    arr::abort_capture(*static_cast<Stream*>(s));
    arr::handles().unpin(bits(stream));
  }
  return release(stream, arr::Kind::stream);
}

arr_status arr_event_create(const arr_device* device, int32_t flags, arr_event* out) {
  return guard("arr_event_create", [&] {
    check_pointer(out, "out");
    check_flags(flags, ARR_EVENT_TIMING | ARR_EVENT_BLOCKING | ARR_EVENT_SHARED);
    if ((flags & ARR_EVENT_SHARED) != 0 && (flags & ARR_EVENT_TIMING) != 0) {
      arr::fail(ARR_E_ARGUMENT, "argument flags: ARR_EVENT_SHARED excludes ARR_EVENT_TIMING");
    }
    publish<Event>(arr::new_event(arr::device_from(device), flags), out);
  });
}

arr_status arr_event_record(arr_event event, arr_stream stream_handle) {
  return guard("arr_event_record", [&] {
    auto e = lookup<Event>(event, "event");
    auto s = stream(stream_handle);
    arr::Queue q = arr::queue_for(e->device(), s.get());
    arr::fuse_flush();
    arr::record_event(*e, q);
  });
}

arr_status arr_event_sync(arr_event event) {
  return guard("arr_event_sync", [&] {
    auto e = lookup<Event>(event, "event");
    arr::refuse_captured(*e);
    arr::call(arr::api<arr::StreamApi>(e->device()).event_sync, e->device().index, e->handle());
  });
}

arr_status arr_event_query(arr_event event, bool* done) {
  return guard("arr_event_query", [&] {
    check_pointer(done, "done");
    auto e = lookup<Event>(event, "event");
    arr::refuse_captured(*e);
    int32_t finished = 0;
    arr::call(arr::api<arr::StreamApi>(e->device()).event_query, e->device().index, e->handle(), &finished);
    *done = finished != 0;
  });
}

arr_status arr_event_elapsed(arr_event start, arr_event stop, double* milliseconds) {
  return guard("arr_event_elapsed", [&] {
    check_pointer(milliseconds, "milliseconds");
    auto a = lookup<Event>(start, "start");
    auto b = lookup<Event>(stop, "stop");
    if (!(a->device() == b->device()))
      arr::fail(ARR_E_ARGUMENT, "argument stop: the event is on another device than start");
    arr::renaming({{"event", "start"}}, [&] { arr::refuse_captured(*a); });
    arr::renaming({{"event", "stop"}}, [&] { arr::refuse_captured(*b); });
    arr::call(arr::api<arr::StreamApi>(a->device()).event_elapsed, a->device().index, a->handle(),
              b->handle(), milliseconds);
  });
}

arr_status arr_event_release(arr_event event) { return release(event, arr::Kind::event); }
