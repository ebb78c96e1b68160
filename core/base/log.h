// SPDX-License-Identifier: MIT
// The log: messages about the library's work, for a callback of the caller. Without a callback a line costs
// one load.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>

#include "base/error.h"

namespace arr {

// The same numbers as the public ARR_LOG_...
namespace log_level {
inline constexpr int32_t debug = 1, info = 2, warning = 3;
}

// The receiver of lines. It belongs to the core; modules receive its address.
struct LogSink {
  bool (*wants)(int32_t level) noexcept;
  void (*write)(int32_t level, const char* line) noexcept;
};
inline std::atomic<const LogSink*> log_sink{
    nullptr};  // the receiver of this library or module; nullptr: none

// Logs the concatenation of the parts as one line.
template <class... Parts>
void log_line(int32_t level, const Parts&... parts) noexcept {
  const LogSink* sink = log_sink.load(std::memory_order_acquire);
  if (sink == nullptr || !sink->wants(level)) return;
  try {
    sink->write(level, text(parts...).c_str());
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): without memory the line is dropped
  }
}
// Logs each line of a report.
void log_lines(int32_t level, const std::string& lines) noexcept;

}  // namespace arr
