// SPDX-License-Identifier: MIT
// The time limit of a launch, ARR_KERNEL_TIMEOUT. Decision 0033 has the reasons.
#pragma once

#include <chrono>
#include <string>

namespace arr::host_kernels {

class Object;

// Seconds that a launch may take; 0: there is no limit. Read once. With a limit, images ask for the time as
// they run (shim/time_limit.h).
double time_limit();

// The end of the time of a launch that begins now.
std::chrono::steady_clock::time_point launch_deadline();

// The message of a launch that was over its time at `code`.
std::string time_limit_text(const char* kernel, const Object& object, const void* code);

}  // namespace arr::host_kernels
