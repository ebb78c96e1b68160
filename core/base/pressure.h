// SPDX-License-Identifier: MIT
// Memory pressure asks a garbage collector, which sees handles but not their memory, to run: when the bytes
// in use of a pool have grown by a step since their last minimum.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace arr {

// Set by the pools, taken by arr_memory_pressure. It belongs to the core; modules have its address.
inline std::atomic<int32_t> own_pressure{0};
inline std::atomic<std::atomic<int32_t>*> pressure{&own_pressure};

inline void raise_pressure() noexcept {
  pressure.load(std::memory_order_acquire)->store(1, std::memory_order_relaxed);
}

// The step is half of the bytes in use, so that the cost of a collection is proportional to new memory. It is
// at least 256 MiB, at most an eighth of the available memory, and less where less is left.
class PressureMark {
 public:
  static constexpr int64_t min_step = int64_t{256} << 20;

  static constexpr int64_t step(int64_t in_use, int64_t available) noexcept {
    const int64_t wanted = std::max(in_use / 2, min_step);
    const int64_t room = std::min(available / 8, (available - in_use) / 2);
    return std::min(wanted, std::max({room, available / 64, int64_t{1} << 20}));
  }

  // Starts a new step from `in_use`, as after a collection. available: the memory that the pool may have.
  void start(int64_t in_use, int64_t available) noexcept {
    available_.store(available, std::memory_order_relaxed);
    set(in_use);
  }
  // After a release.
  void on_release(int64_t in_use) noexcept {
    if (in_use < low_.load(std::memory_order_relaxed)) set(in_use);
  }
  // After an allocation: true if the step is complete, to start() again and to raise the pressure.
  [[nodiscard]] bool reached(int64_t in_use) const noexcept {
    return in_use >= mark_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] int64_t available() const noexcept { return available_.load(std::memory_order_relaxed); }

 private:
  // Threads that do so at once may mix up their marks; later allocations correct them.
  void set(int64_t in_use) noexcept {
    low_.store(in_use, std::memory_order_relaxed);
    mark_.store(in_use + step(in_use, available()), std::memory_order_relaxed);
  }

  std::atomic<int64_t> low_{0}, mark_{min_step}, available_{INT64_MAX / 2};
};

}  // namespace arr
