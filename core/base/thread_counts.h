// SPDX-License-Identifier: MIT
// The number of objects, counted separately by each thread: a counter that all threads change would cost each
// small call several transfers of its cache line, or, with one thread, an atomic operation.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/per_thread.h"

namespace arr {

class ThreadCounts {
 public:
  static void add(int64_t n) noexcept {
    std::atomic<int64_t>* count = mine_;
    if (count == nullptr) return add_first(n);
    count->store(count->load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  // Exact if no thread is counting at the moment.
  static int64_t sum() noexcept {
    int64_t all = shared_.load(std::memory_order_relaxed);
    for (const Count& c : counts_) all += c.value.load(std::memory_order_relaxed);
    return all;
  }

 private:
  struct alignas(64) Count {
    std::atomic<int64_t> value;
  };
  static constexpr size_t max_counts = 64;  // number of threads with a separate count; the others share one

  // The thread takes a count that no thread uses, and continues from its value.
  [[gnu::noinline]] static void add_first(int64_t n) noexcept {
    uint64_t taken = taken_.load(std::memory_order_relaxed);
    while (!ended_ && ~taken != 0) {
      const uint64_t bit = ~taken & (taken + 1);
      if (!taken_.compare_exchange_weak(taken, taken | bit, std::memory_order_acquire,
                                        std::memory_order_relaxed)) {
        continue;
      }
      mine_ = &counts_[static_cast<size_t>(__builtin_ctzll(bit))].value;
      at_thread_end([] {
        ended_ = true;
        const size_t which = static_cast<size_t>(reinterpret_cast<Count*>(mine_) - counts_);
        mine_ = nullptr;
        taken_.fetch_and(~(uint64_t{1} << which), std::memory_order_release);
      });
      return add(n);
    }
    shared_.fetch_add(n, std::memory_order_relaxed);
  }

  // Plain data keeps its values to the thread's very end.
  static inline constinit thread_local std::atomic<int64_t>* mine_ = nullptr;
  static inline constinit thread_local bool ended_ = false;
  static inline Count counts_[max_counts];
  static inline std::atomic<uint64_t> taken_{0};
  static inline std::atomic<int64_t> shared_{0};
};

}  // namespace arr
