// SPDX-License-Identifier: MIT
// Statistics of a pool in the form of the C API.
#pragma once

#include "arr/memory.h"
#include "backend/pool.h"

namespace arr::capi {

inline arr_memory_pool_stats pool_stats_of(const PoolStats& p) {
  return {sizeof(arr_memory_pool_stats),
          p.in_use,
          p.reserved,
          p.peak,
          p.peak_reserved,
          p.limit,
          p.allocations,
          p.releases,
          p.hits,
          p.misses,
          p.free_blocks,
          p.largest_free};
}

}  // namespace arr::capi
