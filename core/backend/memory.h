// SPDX-License-Identifier: MIT
// Memory of a device: pooled blocks, and copies.
#pragma once

#include <cstdint>

#include "backend/error.h"

namespace arr {

struct MemoryStats {
  int64_t in_use = 0;  // bytes allocated by the caller
  int64_t cached = 0;  // bytes kept for reuse
  int64_t peak = 0;    // max bytes in use so far
  int64_t limit = 0;   // limit of bytes in use, 0: none
  int64_t total = 0;   // bytes of the device
  int64_t free = 0;    // free bytes of the device
};

enum class CopyKind : int32_t { from_host = 0, to_host = 1, on_device = 2 };

struct MemoryApi {
  // Blocks of the pool, aligned to 256 bytes. release: work on `stream` may reuse the block at once, other
  // streams after that work; it takes the address and the size of allocate.
  int32_t (*allocate)(int32_t device, int64_t bytes, void* stream, void** data, BackendError*);
  int32_t (*release)(int32_t device, void* data, int64_t bytes, void* stream, BackendError*);
  int32_t (*stats)(int32_t device, MemoryStats* stats, BackendError*);
  int32_t (*limit)(int32_t device, int64_t bytes, BackendError*);
  int32_t (*trim)(int32_t device, BackendError*);

  // Copies to and from ordinary host memory, and within one device. The former return when the host memory
  // has been read or written.
  int32_t (*copy_from_host)(int32_t device, void* to, const void* host, int64_t bytes, void* stream,
                            BackendError*);
  int32_t (*copy_to_host)(int32_t device, void* host, const void* from, int64_t bytes, void* stream,
                          BackendError*);
  int32_t (*copy_on_device)(int32_t device, void* to, const void* from, int64_t bytes, void* stream,
                            BackendError*);
  // Copies between addresses, in stream order; does not wait. Host memory must stay valid until the stream
  // has finished with it.
  int32_t (*copy_bytes)(int32_t device, void* to, const void* from, int64_t bytes, CopyKind kind,
                        void* stream, BackendError*);
  // Copies from another device of the type, in the order of the stream, which belongs to `device`; does not
  // wait. If the devices are peers the copy does not go through host memory. Null if there is one device.
  int32_t (*copy_from_peer)(int32_t device, void* to, int32_t peer, const void* from, int64_t bytes,
                            void* stream, BackendError*);
  int32_t (*set_bytes)(int32_t device, void* to, uint8_t value, int64_t bytes, void* stream, BackendError*);

  // The device of an address, according to the driver; -1: none.
  int32_t (*device_of)(const void* data, int32_t* device, BackendError*);
};

}  // namespace arr
