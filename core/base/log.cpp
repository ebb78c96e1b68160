// SPDX-License-Identifier: MIT
#include "base/log.h"

#include <string_view>

namespace arr {

void log_lines(int32_t level, const std::string& lines) noexcept {
  for (std::string_view rest = lines; !rest.empty();) {
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    if (!line.empty()) log_line(level, line);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
}

}  // namespace arr
