// SPDX-License-Identifier: MIT
// The part of the seam that only the low-level interface needs: details of memory, streams and devices. The
// rules are those of backend.h. Apart from it, so that what changes here is compiled where it is used.
#pragma once

#include "backend.h"

namespace arr {

// What a pool has done. A hit was served from memory that it had, a miss made it ask the system.
struct PoolStats {
  int64_t in_use = 0;         // bytes given out
  int64_t reserved = 0;       // bytes had from the system: in use and kept
  int64_t peak = 0;           // most bytes in use so far
  int64_t peak_reserved = 0;  // most bytes had from the system so far
  int64_t limit = 0;          // most bytes in use allowed, 0: none
  int64_t allocations = 0, releases = 0, hits = 0, misses = 0;
  int64_t free_blocks = 0;   // pieces kept for reuse
  int64_t largest_free = 0;  // bytes of the largest of them
};

// Requests of one size class.
struct PoolClass {
  int64_t largest = 0;      // bytes of the largest request
  int64_t allocations = 0;  // so far
  int64_t blocks = 0;       // given out
  int64_t bytes = 0;        // of them
};

enum class CopyKind : int32_t { from_host = 0, to_host = 1, on_device = 2 };

struct LowLevel {
  int64_t struct_size;

  // The pool. Classes with no allocations so far are left out; *count tells all, also beyond the capacity.
  int32_t (*pool_stats)(int32_t device, PoolStats* stats, BackendError*);
  int32_t (*pool_classes)(int32_t device, int32_t capacity, PoolClass* classes, int32_t* count,
                          BackendError*);
  int32_t (*pool_reset_peak)(int32_t device, BackendError*);

  // Bytes between addresses, in stream order; does not wait. Host memory must stay until the stream has
  // come by.
  int32_t (*copy_bytes)(int32_t device, void* to, const void* from, int64_t bytes, CopyKind kind,
                        void* stream, BackendError*);
  int32_t (*set_bytes)(int32_t device, void* to, uint8_t value, int64_t bytes, void* stream, BackendError*);
};

}  // namespace arr
