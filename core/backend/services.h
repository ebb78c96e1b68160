// SPDX-License-Identifier: MIT
// Services of the core that a backend module uses, and the module's counters.
#pragma once

#include <atomic>
#include <cstdint>

#include "backend/error.h"
#include "base/disk_cache.h"
#include "base/log.h"

namespace arr {

struct CacheStore;  // base/disk_cache.h

struct ServiceApi {
  // Set before other calls; null if the backend is linked in. The receiver of log lines, the store of
  // compiled kernels, and the flag for memory pressure (base/pressure.h).
  void (*log_to)(const LogSink* sink);
  void (*cache_to)(const CacheStore* store);
  void (*pressure_to)(std::atomic<int32_t>* pressure);

  int32_t (*kernel_count)(int64_t* kernels, BackendError*);  // kernels compiled or loaded so far for programs
  int32_t (*cache_counts)(CacheCounts* counts, BackendError*);  // counts of this backend's module
};

}  // namespace arr
