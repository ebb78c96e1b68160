// SPDX-License-Identifier: MIT
// Captures of streams' work as graphs. From begin to end, work in the stream is recorded instead of run. Pool
// memory that the backend allocates for it belongs to the graph; the caller keeps the arrays.
#pragma once

#include <cstdint>

#include "backend/error.h"

namespace arr {

// The error at the end of a capture if its origin does not wait for all of the work.
inline constexpr const char* unjoined_capture =
    "argument stream: has not waited for all the work of a stream that joined its capture; record an event "
    "after that work and let this stream wait for it";

struct GraphApi {
  int32_t (*capture_begin)(int32_t device, void* stream, BackendError*);
  // From now on the work of another stream is recorded with that of `origin`, after an event of the capture.
  // The caller keeps both until the end. Streams of a capture order each other as usual; for work before the
  // capture, a stream outside of it waits by wait_stream.
  int32_t (*capture_join)(int32_t device, void* stream, void* event, void* origin, BackendError*);
  // Called for the stream in which it began. That stream then waits for the other streams' work before the
  // capture. ARR_E_ARGUMENT if it does not wait for all of their captured work. After a failure the capture
  // has ended too.
  int32_t (*capture_end)(int32_t device, void* stream, void** graph, BackendError*);
  // Ends the capture and replaces the work of a graph, which was launched last in `last`; `stream` then waits
  // for that launch. On failure the graph is unchanged, and the capture has ended.
  int32_t (*update)(int32_t device, void* graph, void* stream, void* last, BackendError*);
  int32_t (*native)(int32_t device, void* graph, void** native, void** executable, BackendError*);
  int32_t (*upload)(int32_t device, void* graph, void* stream, BackendError*);
  int32_t (*launch)(int32_t device, void* graph, void* stream, BackendError*);
  int32_t (*dot)(int32_t device, void* graph, const char* path, BackendError*);
  // stream: the stream of the last launch.
  int32_t (*release)(int32_t device, void* graph, void* stream, BackendError*);
};

}  // namespace arr
