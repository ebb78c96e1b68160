// SPDX-License-Identifier: MIT
// Details of a device's memory pool, and its source of blocks.
#pragma once

#include <cstdint>

#include "backend/error.h"
#include "base/allocation_sources.h"

namespace arr {

// Counters of a pool. A hit was served from cached memory, a miss requested memory from the system.
struct PoolStats {
  int64_t in_use = 0;         // bytes allocated by the caller
  int64_t reserved = 0;       // bytes from the system: in use and cached
  int64_t peak = 0;           // max bytes in use so far
  int64_t peak_reserved = 0;  // max bytes from the system so far
  int64_t limit = 0;          // limit of bytes in use, 0: none
  int64_t allocations = 0, releases = 0, hits = 0, misses = 0;
  int64_t free_blocks = 0;   // number of cached blocks
  int64_t largest_free = 0;  // size of the largest of them
};

// Requests of one size class.
struct PoolClass {
  int64_t largest = 0;      // bytes of the largest request of the class
  int64_t allocations = 0;  // so far
  int64_t blocks = 0;       // in use
  int64_t bytes = 0;        // bytes of these
};

struct PoolApi {
  int32_t (*stats)(int32_t device, PoolStats* stats, BackendError*);
  // Classes without allocations so far are omitted; *count is the number of all, which may exceed the
  // capacity.
  int32_t (*classes)(int32_t device, int32_t capacity, PoolClass* classes, int32_t* count, BackendError*);
  int32_t (*reset_peak)(int32_t device, BackendError*);

  // The source of new blocks; functions: for AllocatorKind::external only. ARR_E_UNSUPPORTED if the device
  // has no such allocator. Blocks in use are returned to the source that they came from.
  int32_t (*set_allocator)(int32_t device, AllocatorKind kind, const ExternalFunctions* functions,
                           BackendError*);
  int32_t (*allocator)(int32_t device, AllocatorKind* kind, BackendError*);
};

}  // namespace arr
