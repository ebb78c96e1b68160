// SPDX-License-Identifier: MIT
// The lines of a text and their fields.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include "io/number_text.h"

namespace arr::io {

// The lines of a text, which end with \n, \r\n or \r.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  [[nodiscard]] int64_t number() const {
    return number_;
  }  // number of the line that was returned last, from 1
  bool next(std::string_view* line) {
    if (rest_.empty()) return false;
    ++number_;
    const size_t end = line_end();
    *line = rest_.substr(0, end);
    const bool both = rest_.substr(end, 2) == "\r\n";
    rest_.remove_prefix(std::min(end + (both ? 2 : 1), rest_.size()));
    return true;
  }

 private:
  std::string_view rest_;
  int64_t number_ = 0;

  [[nodiscard]] size_t line_end() const {
    const void* found = std::memchr(rest_.data(), '\n', rest_.size());
    const size_t n =
        found == nullptr ? rest_.size() : static_cast<size_t>(static_cast<const char*>(found) - rest_.data());
    const void* earlier = std::memchr(rest_.data(), '\r', n);
    return earlier == nullptr ? n : static_cast<size_t>(static_cast<const char*>(earlier) - rest_.data());
  }
};

// Removes the first field between white space from a line and returns it; empty if there is none.
inline std::string_view take_field(std::string_view* line) {
  while (!line->empty() && is_space(line->front())) line->remove_prefix(1);
  size_t n = 0;
  while (n < line->size() && !is_space((*line)[n])) ++n;
  const std::string_view field = line->substr(0, n);
  line->remove_prefix(n);
  return field;
}

}  // namespace arr::io
