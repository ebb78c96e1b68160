// SPDX-License-Identifier: MIT
// arr_leaks.h: the interface of arr_leaks.c, for ARR_DEBUG=leaks.
#pragma once

#include <stdint.h>

#define LOCAL __attribute__((visibility("hidden")))

typedef uint64_t name;  // a handle of the library, as a number; 0: no handle

// A variable has received this handle.
LOCAL void arr_leaks_note(name held);
