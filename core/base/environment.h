// SPDX-License-Identifier: MIT
// Variables of the environment, which count for nothing in a program that runs with more rights than its
// user.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace arr {

// The variable's value; empty when unset, or in a program that runs with more rights than its user.
std::string environment(const char* name);
// True if the variable is 1, false if it is 0, `otherwise` if it is unset. Other values count as 1, with a
// warning in the log.
bool environment_flag(const char* name, bool otherwise = false);

// ARR_CHECK: whether kernels' arguments and, on the host, their accesses to memory are checked. Read once.
bool checked_mode();

// "1000000", "64K", "512M", "2.5G", "1T" in bytes, or "50%" of `whole`, where that is not 0.
std::optional<int64_t> parse_bytes(std::string_view text, int64_t whole);

// The number of bytes in a variable; `otherwise` if it is unset, nothing if it is not a number of bytes.
std::optional<int64_t> environment_bytes(const char* name, int64_t otherwise);

}  // namespace arr
