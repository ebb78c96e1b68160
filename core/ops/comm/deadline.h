// SPDX-License-Identifier: MIT
// The time until which a call may wait for other ranks.
#pragma once

#include <algorithm>
#include <chrono>

namespace arr {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;
  // 0: never.
  explicit Deadline(double seconds) : limited_(seconds > 0) {
    // Larger numbers overflow the clock.
    if (limited_)
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(std::min(seconds, 4e7)));
  }
  [[nodiscard]] bool limited() const noexcept { return limited_; }
  [[nodiscard]] bool passed() const noexcept { return limited_ && Clock::now() >= end_; }

 private:
  bool limited_;
  Clock::time_point end_;
};

}  // namespace arr
