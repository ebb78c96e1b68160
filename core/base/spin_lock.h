// SPDX-License-Identifier: MIT
// A lock for a few instructions and rare contention. A waiting thread only reads until the lock seems free,
// so that it takes the cache line from the holder once.
#pragma once

#include <atomic>

namespace arr {

// Waits a little, for a thread that reads memory until another one writes it.
inline void spin_pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");  // waits longer than yield, which most processors ignore
#endif
}

class SpinLock {
 public:
  void lock() noexcept {
    while (!try_lock()) {
      while (held_.load(std::memory_order_relaxed)) spin_pause();
    }
  }
  bool try_lock() noexcept { return !held_.exchange(true, std::memory_order_acquire); }
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

}  // namespace arr
