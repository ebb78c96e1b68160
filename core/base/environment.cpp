// SPDX-License-Identifier: MIT
#include "base/environment.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace arr {

std::string environment(const char* name) {
  const char* value = secure_getenv(name);
  return value != nullptr ? value : "";
}

int64_t environment_bytes(const char* name, int64_t otherwise) {
  const std::string value = environment(name);
  int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || number < 0) return otherwise;
  const std::string_view unit(rest, static_cast<size_t>(end - rest));
  const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  if (shift < 0 || number > INT64_MAX >> shift) return otherwise;
  return number << shift;
}

}  // namespace arr
