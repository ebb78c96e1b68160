// SPDX-License-Identifier: MIT
// Allocations by new that fail on demand, in the test program and in the library.
#pragma once

#include <cstdint>

namespace arr_test {

// After n more allocations on this thread all fail.
void fail_allocation(int64_t n) noexcept;
// After n more allocations on this thread one fails, and those behind it do not.
void fail_one_allocation(int64_t n) noexcept;
// None of them fails while this returns other than 0: code of the test's own that the library calls.
void exempt(int32_t (*inside)()) noexcept;
// Ends the failing; returns whether one failed.
bool stop_failing() noexcept;
// Counts an allocation; returns whether it is to fail.
bool fails_now() noexcept;
// The number of allocations that are still to come before one fails.
int64_t allocations_left() noexcept;

}  // namespace arr_test
