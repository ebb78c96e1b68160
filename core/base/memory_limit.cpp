// SPDX-License-Identifier: MIT
// Reads ARR_MEMORY_LIMIT.
#include "base/memory_limit.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/error.h"

namespace arr {

namespace {

// Bytes per unit; 0 for a letter that is none.
double unit_of(std::string_view suffix, int64_t total) {
  if (suffix.empty()) return 1;
  if (suffix == "%") return static_cast<double>(total) / 100;
  if (suffix.size() != 1) return 0;
  constexpr std::string_view letters = "KMGTkmgt";
  const size_t at = letters.find(suffix[0]);
  return at == std::string_view::npos ? 0 : std::exp2(10.0 * static_cast<double>(at % 4 + 1));
}

}  // namespace

int64_t parse_memory_limit(std::string_view text, int64_t total) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const double unit = unit_of(text.substr(static_cast<size_t>(end - text.data())), total);
  const double bytes = number * unit;
  if (error != std::errc() || unit == 0 || !(bytes >= 0 && bytes < 9e18) ||
      (text.ends_with('%') && number > 100)) {
    fail(ARR_E_ARGUMENT, "ARR_MEMORY_LIMIT: \"", text,
         "\" is no number of bytes (with K, M, G or T) and no percentage up to 100%");
  }
  return static_cast<int64_t>(bytes);
}

int64_t memory_limit_from_environment(int64_t total) {
  const char* text = secure_getenv("ARR_MEMORY_LIMIT");
  return text == nullptr || *text == 0 ? 0 : parse_memory_limit(text, total);
}

}  // namespace arr
