// SPDX-License-Identifier: MIT
// Memory and events that processes share.
#pragma once

#include <cstdint>

#include "backend/error.h"

namespace arr {

// The handle by which the driver of another process opens memory or an event.
struct IpcHandle {
  char bytes[64] = {};
};

struct IpcApi {
  // offset: of `data` in the memory that the handle names. import: its address here and its bytes from there
  // on; valid until close.
  int32_t (*export_memory)(int32_t device, const void* data, IpcHandle* handle, int64_t* offset,
                           BackendError*);
  int32_t (*import_memory)(int32_t device, const IpcHandle* handle, void** base, int64_t* bytes,
                           BackendError*);
  int32_t (*close_memory)(int32_t device, void* base, BackendError*);
  // An imported event is destroyed by event_destroy.
  int32_t (*export_event)(int32_t device, void* event, IpcHandle* handle, BackendError*);
  int32_t (*import_event)(int32_t device, const IpcHandle* handle, void** event, BackendError*);
};

}  // namespace arr
