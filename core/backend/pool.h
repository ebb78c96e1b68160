// SPDX-License-Identifier: MIT
// Details of a device's memory pool, and its source of blocks.
#pragma once

#include <cstdint>

#include "backend/error.h"
#include "base/allocation_sources.h"

namespace arr {

// Counters of a pool. A hit was served from kept memory, a miss made it ask the system.
struct PoolStats {
  int64_t in_use = 0;         // bytes allocated by the caller
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
  int64_t blocks = 0;       // in use
  int64_t bytes = 0;        // of them
};

struct PoolApi {
  int32_t (*stats)(int32_t device, PoolStats* stats, BackendError*);
  // Classes with no allocations so far are left out; *count is the number of all, also beyond the capacity.
  int32_t (*classes)(int32_t device, int32_t capacity, PoolClass* classes, int32_t* count, BackendError*);
  int32_t (*reset_peak)(int32_t device, BackendError*);

  // The source of new blocks; functions: of AllocatorKind::external only. ARR_E_UNSUPPORTED where the device
  // has no such allocation. Blocks in use are returned to the source that they came from.
  int32_t (*set_allocator)(int32_t device, AllocatorKind kind, const ExternalFunctions* functions,
                           BackendError*);
  int32_t (*allocator)(int32_t device, AllocatorKind* kind, BackendError*);
};

}  // namespace arr
