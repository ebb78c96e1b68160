// SPDX-License-Identifier: MIT
// failing_new.h for programs that are not in C++: preloaded, it replaces operator new in every library of the
// process.
#include "failing_new.h"

extern "C" {
void arr_test_fail_allocation(int64_t n) { arr_test::fail_allocation(n); }
void arr_test_fail_one_allocation(int64_t n) { arr_test::fail_one_allocation(n); }
void arr_test_exempt(int32_t (*inside)()) { arr_test::exempt(inside); }
int32_t arr_test_stop_failing() { return arr_test::stop_failing() ? 1 : 0; }
}
