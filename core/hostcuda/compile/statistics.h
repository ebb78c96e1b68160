// SPDX-License-Identifier: MIT
// Counters of the cache, for tests and tuning.
#pragma once

#include <atomic>
#include <cstdint>

namespace arr::host_kernels {

struct Counters {
  std::atomic<uint64_t> compiled{0}, disk_hits{0}, memory_hits{0};
};
Counters& counters();  // of the whole process

}  // namespace arr::host_kernels
