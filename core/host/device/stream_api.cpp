// SPDX-License-Identifier: MIT
// The entries of streams, events and graphs.
#include "backend/graph.h"
#include "backend/stream.h"
#include "host/device/streams.h"
#include "host/tables.h"

namespace arr::host {

namespace {

int32_t stream_wrap(int32_t, void*, void**, BackendError* e) {
  return translate_exceptions(e, [] { fail(ARR_E_UNSUPPORTED, "the host has no native streams to wrap"); });
}
int32_t stream_native(int32_t, void*, void**, BackendError* e) {
  return translate_exceptions(e,
                              [] { fail(ARR_E_UNSUPPORTED, "a stream of the host has no native handle"); });
}
int32_t priority_range(int32_t, int32_t* least, int32_t* greatest, BackendError*) {
  *least = *greatest = 0;  // work runs in the caller's order
  return ARR_OK;
}
int32_t stream_create_priority(int32_t device, int32_t flags, int32_t, void** stream, BackendError* e) {
  return stream_create(device, flags, stream, e);
}
int32_t stream_details(int32_t, void* stream, int32_t* flags, int32_t* priority, int32_t* capturing,
                       BackendError*) {
  const Stream& s = stream_of(stream);
  *flags = s.flags();
  *priority = 0;
  *capturing = s.capturing() ? 1 : 0;
  return ARR_OK;
}
int32_t host_function(int32_t, void* stream, void (*function)(void*), void* ctx, BackendError* e) {
  return translate_exceptions(e, [&] { stream_of(stream).add({"host function", [=] { function(ctx); }}); });
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

const GraphApi graph_api = {
    .capture_begin = capture_begin,
    .capture_join = capture_join,
    .capture_end = capture_end,
    .update = graph_update,
    .native = graph_native,
    .upload = graph_upload,
    .launch = graph_launch,
    .dot = graph_dot,
    .release = graph_release,
};

}  // namespace arr::host
