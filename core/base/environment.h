// SPDX-License-Identifier: MIT
// Environment variables, which are ignored in a program that runs with raised privileges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace arr {

// The variable's value; empty if it is unset, or if the program runs with raised privileges.
std::string environment(const char* name);
// True if the variable is 1, false if it is 0, `otherwise` if it is unset. Other values count as 1, with a
// warning in the log.
bool environment_flag(const char* name, bool otherwise = false);

// ARR_CHECK: true if kernel arguments and, on the host, kernels' memory accesses are checked. Read once.
bool checked_mode();

// Parses a size in bytes: "1000000", "64K", "512M", "2.5G", "1T", or "50%" of `whole` unless that is 0.
std::optional<int64_t> parse_bytes(std::string_view text, int64_t whole);

// The number of bytes in a variable; `otherwise` if it is unset, nullopt if it is not a number of bytes.
std::optional<int64_t> environment_bytes(const char* name, int64_t otherwise);

}  // namespace arr
