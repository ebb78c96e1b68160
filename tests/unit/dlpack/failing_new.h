// SPDX-License-Identifier: MIT
// Allocations by new that fail on demand, in the test program and in the library.
#pragma once

#include <cstdint>

namespace arr_test {

// After n more allocations on this thread all fail.
void fail_allocation(int64_t n) noexcept;
// Ends that; gives whether one failed.
bool stop_failing() noexcept;

}  // namespace arr_test
