// SPDX-License-Identifier: MIT
// Reads ARR_MEMORY_LIMIT.
#include "base/memory_limit.h"

#include "base/environment.h"
#include "base/error.h"

namespace arr {

int64_t parse_memory_limit(std::string_view text, int64_t total) {
  const std::optional<int64_t> bytes = parse_bytes(text, total);
  if (bytes) return *bytes;
  fail(ARR_E_ARGUMENT, "ARR_MEMORY_LIMIT: \"", text,
       "\" is neither a number of bytes (with K, M, G or T) nor a percentage up to 100%");
}

int64_t memory_limit_from_environment(int64_t total) {
  const std::string text = environment("ARR_MEMORY_LIMIT");
  return text.empty() ? 0 : parse_memory_limit(text, total);
}

}  // namespace arr
