// SPDX-License-Identifier: MIT
// An atomic maximum, for peaks that several threads record. C++26 has atomic_fetch_max.
#pragma once

#include <atomic>
#include <cstdint>

namespace arr {

inline void atomic_fetch_max(std::atomic<int64_t>* maximum, int64_t value) noexcept {
  int64_t before = maximum->load(std::memory_order_relaxed);
  while (value > before && !maximum->compare_exchange_weak(before, value, std::memory_order_relaxed)) {
  }
}

}  // namespace arr
