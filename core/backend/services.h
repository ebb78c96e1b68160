// SPDX-License-Identifier: MIT
// Services of the core that a backend module uses, and its counters.
#pragma once

#include <atomic>
#include <cstdint>

#include "backend/error.h"
#include "base/disk_cache.h"
#include "base/log.h"

namespace arr {

struct CacheStore;  // base/disk_cache.h

struct ServiceApi {
  // Set before anything else; null where the backend is linked in. Log lines, the store of compiled kernels,
  // and the word by which pools raise memory pressure (base/pressure.h).
  void (*log_to)(const LogSink* sink);
  void (*cache_to)(const CacheStore* store);
  void (*pressure_to)(std::atomic<int32_t>* pressure);

  int32_t (*kernel_count)(int64_t* kernels, BackendError*);     // compiled or loaded for programs so far
  int32_t (*cache_counts)(CacheCounts* counts, BackendError*);  // of this backend's module
};

}  // namespace arr
