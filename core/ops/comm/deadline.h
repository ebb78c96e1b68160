// SPDX-License-Identifier: MIT
// The time until which a call may wait for other ranks.
#pragma once

#include <algorithm>
#include <chrono>

namespace arr {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;
  // 0: no limit.
  explicit Deadline(double seconds, Clock::time_point since = Clock::now()) : limited_(seconds > 0) {
    constexpr double year = 3e7;  // larger numbers overflow the clock
    const std::chrono::duration<double> limit(limited_ ? std::min(seconds, year) : year);
    end_ = since + std::chrono::duration_cast<Clock::duration>(limit);
  }
  [[nodiscard]] bool limited() const noexcept { return limited_; }
  [[nodiscard]] bool passed() const noexcept { return limited_ && Clock::now() >= end_; }
  // For waits that take a time; a year ahead without a limit.
  [[nodiscard]] Clock::time_point end() const noexcept { return end_; }

 private:
  bool limited_;
  Clock::time_point end_;
};

}  // namespace arr
