// SPDX-License-Identifier: MIT
// The highest value that a count had, kept by several threads.
#pragma once

#include <atomic>
#include <cstdint>

namespace arr {

inline void raise_to(std::atomic<int64_t>* top, int64_t now) noexcept {
  int64_t t = top->load(std::memory_order_relaxed);
  while (now > t && !top->compare_exchange_weak(t, now, std::memory_order_relaxed)) {
  }
}

}  // namespace arr
