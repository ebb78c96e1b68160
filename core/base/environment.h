// SPDX-License-Identifier: MIT
// Variables of the environment, which count for nothing in a program that runs with more rights than its user.
#pragma once

#include <cstdint>
#include <string>

namespace arr {

// The variable's value; empty when unset, or in a program that runs with more rights than its user.
std::string environment(const char* name);

// A number of bytes, "512", "64K", "16M" or "2G"; `otherwise` when unset, negative or no such number.
int64_t environment_bytes(const char* name, int64_t otherwise);

}  // namespace arr
