// SPDX-License-Identifier: MIT
// Memory pressure tells a garbage collector, which sees handles but not their memory, to run: when the bytes
// in use of a pool have grown by a step since their last minimum.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace arr {

// Set by the pools, taken by arr_memory_pressure. Of the core; the modules have its address.
inline std::atomic<int32_t> own_pressure{0};
inline std::atomic<std::atomic<int32_t>*> pressure{&own_pressure};

inline void raise_pressure() noexcept {
  pressure.load(std::memory_order_acquire)->store(1, std::memory_order_relaxed);
}

// The step is half of what is in use, so that what a collection costs is shared by as much new memory; it is
// at least 256 MiB, at most an eighth of what there is, and less where less is left.
class PressureMark {
 public:
  static constexpr int64_t least_step = int64_t{256} << 20;

  static constexpr int64_t step(int64_t in_use, int64_t available) noexcept {
    const int64_t wanted = std::max(in_use / 2, least_step);
    const int64_t room = std::min(available / 8, (available - in_use) / 2);
    return std::min(wanted, std::max({room, available / 64, int64_t{1} << 20}));
  }

  // From now on `in_use` counts as what a collection leaves. available: all that the pool may have.
  void start(int64_t in_use, int64_t available) noexcept {
    available_.store(available, std::memory_order_relaxed);
    set(in_use);
  }
  // After a release.
  void fell(int64_t in_use) noexcept {
    if (in_use < low_.load(std::memory_order_relaxed)) set(in_use);
  }
  // After an allocation: whether it is time to start() again and to raise the pressure.
  [[nodiscard]] bool reached(int64_t in_use) const noexcept {
    return in_use >= mark_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] int64_t available() const noexcept { return available_.load(std::memory_order_relaxed); }

 private:
  // Threads that do so at once may mix their marks up; the next allocations put them right.
  void set(int64_t in_use) noexcept {
    low_.store(in_use, std::memory_order_relaxed);
    mark_.store(in_use + step(in_use, available()), std::memory_order_relaxed);
  }

  std::atomic<int64_t> low_{0}, mark_{least_step}, available_{INT64_MAX / 2};
};

}  // namespace arr
