// SPDX-License-Identifier: MIT
#include "hostcuda/run/time_limit.h"

#include <charconv>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"
#include "hostcuda/compile/line_info.h"
#include "hostcuda/compile/object.h"

namespace arr::host_kernels {

double time_limit() {
  static const double seconds = [] {
    const std::string given = environment("ARR_KERNEL_TIMEOUT");
    double value = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
    constexpr double max_seconds = 1e9;
    if (given.empty() ||
        (error == std::errc() && end == given.data() + given.size() && value >= 0 && value <= max_seconds))
      return value;
    log_line(log_level::warning, "ARR_KERNEL_TIMEOUT: ", given, " is no number of seconds from 0 to ",
             max_seconds, ", and is ignored");
    return 0.0;
  }();
  return seconds;
}

std::chrono::steady_clock::time_point launch_deadline() {
  using Clock = std::chrono::steady_clock;
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time_limit()));
}

std::string time_limit_text(const char* kernel, const Object& object, const void* code) {
  const uintptr_t in_call = reinterpret_cast<uintptr_t>(code) - 1;
  std::string where;
  if (!object.bytes().empty()) where = line_text(object.bytes(), in_call - object.base());
  return text("kernel '", kernel, "': stopped", where, " after ", time_limit(),
              " seconds (ARR_KERNEL_TIMEOUT)");
}

}  // namespace arr::host_kernels
