// SPDX-License-Identifier: MIT
// Memory pressure asks a garbage collector, which sees handles but not their memory, to run. It is raised
// when the bytes in use of a pool have grown by a step since their last minimum.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace arr {

// Set by the pools, read and cleared by arr_memory_pressure. It belongs to the core; modules receive its
// address.
inline std::atomic<int32_t> own_pressure{0};
inline std::atomic<std::atomic<int32_t>*> pressure{&own_pressure};

inline void raise_pressure() noexcept {
  pressure.load(std::memory_order_acquire)->store(1, std::memory_order_relaxed);
}

// The step is half of the bytes in use, so that the cost of a collection is proportional to new memory. It is
// at least 256 MiB, at most an eighth of the available memory, and smaller if less memory is left.
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
  // Called after a release.
  void on_release(int64_t in_use) noexcept {
    if (in_use < low_.load(std::memory_order_relaxed)) set(in_use);
  }
  // Called after an allocation. Returns true if the step is complete; the caller then calls start() and
  // raises the pressure.
  [[nodiscard]] bool reached(int64_t in_use) const noexcept {
    return in_use >= mark_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] int64_t available() const noexcept { return available_.load(std::memory_order_relaxed); }

 private:
  // Concurrent calls may set a wrong minimum; later allocations correct it.
  void set(int64_t in_use) noexcept {
    low_.store(in_use, std::memory_order_relaxed);
    mark_.store(in_use + step(in_use, available()), std::memory_order_relaxed);
  }

  std::atomic<int64_t> low_{0}, mark_{min_step}, available_{INT64_MAX / 2};
};

}  // namespace arr
