// SPDX-License-Identifier: MIT
#include "base/environment.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/log.h"

namespace arr {

namespace {

// Bytes per unit; 0 for any other letter.
double unit_of(std::string_view suffix, int64_t whole) {
  if (suffix.empty()) return 1;
  if (suffix == "%") return static_cast<double>(whole) / 100;
  if (suffix.size() != 1) return 0;
  constexpr std::string_view letters = "KMGTkmgt";
  const size_t at = letters.find(suffix[0]);
  return at == std::string_view::npos ? 0 : std::exp2(10.0 * static_cast<double>(at % 4 + 1));
}

}  // namespace

std::string environment(const char* name) {
  const char* value = secure_getenv(name);
  return value != nullptr ? value : "";
}

bool environment_flag(const char* name, bool otherwise) {
  const std::string given = environment(name);
  if (given.empty()) return otherwise;
  if (given != "0" && given != "1") {
    log_line(log_level::warning, name, ": \"", given, "\" is neither 0 nor 1, and is taken for 1");
  }
  return given != "0";
}

bool checked_mode() {
  static const bool on = environment_flag("ARR_CHECK");
  return on;
}

std::optional<int64_t> parse_bytes(std::string_view text, int64_t whole) {
  // A double cannot represent the largest integers.
  int64_t whole_number = 0;
  const char* const last = text.data() + text.size();
  if (const auto [stop, error] = std::from_chars(text.data(), last, whole_number);
      error == std::errc() && stop == last && whole_number >= 0)
    return whole_number;
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const double unit = unit_of(text.substr(static_cast<size_t>(end - text.data())), whole);
  const double bytes = number * unit;
  if (error != std::errc() || unit == 0 || !(bytes >= 0 && bytes < 9e18)) return std::nullopt;
  if (text.ends_with('%') && number > 100) return std::nullopt;
  return static_cast<int64_t>(bytes);
}

std::optional<int64_t> environment_bytes(const char* name, int64_t otherwise) {
  const std::string given = environment(name);
  return given.empty() ? otherwise : parse_bytes(given, 0);
}

}  // namespace arr
