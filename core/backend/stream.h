// SPDX-License-Identifier: MIT
// Streams and events of a backend. A stream is the backend's own pointer; nullptr is the device's default
// stream.
#pragma once

#include <cstdint>

#include "backend/error.h"

namespace arr {

struct StreamApi {
  int32_t (*create)(int32_t device, int32_t flags, void** stream, BackendError*);
  // A lower number is a higher priority.
  int32_t (*create_with_priority)(int32_t device, int32_t flags, int32_t priority, void** stream,
                                  BackendError*);
  int32_t (*priority_range)(int32_t device, int32_t* least, int32_t* greatest, BackendError*);
  int32_t (*wrap)(int32_t device, void* native, void** stream, BackendError*);
  int32_t (*destroy)(int32_t device, void* stream, BackendError*);
  int32_t (*native)(int32_t device, void* stream, void** native, BackendError*);
  int32_t (*details)(int32_t device, void* stream, int32_t* flags, int32_t* priority, int32_t* capturing,
                     BackendError*);
  int32_t (*sync)(int32_t device, void* stream, BackendError*);
  int32_t (*query)(int32_t device, void* stream, int32_t* done, BackendError*);
  // `waiter` continues only after all work enqueued in `first` so far.
  int32_t (*wait_stream)(int32_t device, void* waiter, void* first, BackendError*);
  int32_t (*wait_event)(int32_t device, void* stream, void* event, BackendError*);
  // The function runs after the stream's current work, and later work after it; it must not call the library.
  int32_t (*host_function)(int32_t device, void* stream, void (*function)(void*), void* ctx, BackendError*);

  int32_t (*event_create)(int32_t device, int32_t flags, void** event, BackendError*);
  int32_t (*event_destroy)(int32_t device, void* event, BackendError*);
  int32_t (*event_record)(int32_t device, void* event, void* stream, BackendError*);
  int32_t (*event_sync)(int32_t device, void* event, BackendError*);
  int32_t (*event_query)(int32_t device, void* event, int32_t* done, BackendError*);
  int32_t (*event_elapsed)(int32_t device, void* start, void* stop, double* milliseconds, BackendError*);
};

}  // namespace arr
