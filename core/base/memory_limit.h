// SPDX-License-Identifier: MIT
// A device's initial memory limit: ARR_MEMORY_LIMIT.
#pragma once

#include <cstdint>
#include <string_view>

namespace arr {

// Parses "1000000", "64K", "512M", "2.5G", "1T" in bytes, or "50%" of `total`; ARR_E_ARGUMENT for anything
// else.
int64_t parse_memory_limit(std::string_view text, int64_t total);
// The limit in the environment; 0 if there is none.
int64_t memory_limit_from_environment(int64_t total);

}  // namespace arr
