// SPDX-License-Identifier: MIT
// arr_finalized.h: ownership of handles in programs of a compiler that finalizes the results of functions
// (flang). arr_ownership.c calls these functions instead of its own. docs/decisions/0035 has the reasons.
#pragma once

#include <stdbool.h>

#include "arr_places.h"

// 1 for such a compiler: a variable of module arr_types.
extern const int32_t arr_fortran_finalizes;

// The array of an operand is no longer needed, where it is a result of the library's functions.
LOCAL void arr_finalized_used(void* handle, bool temporary);

// The variable receives a handle instead of what it holds.
LOCAL void arr_finalized_assigned(void** v, void* taken);

// The variable goes: its handle is released at the thread's next call.
LOCAL void arr_finalized_gone(void** v);

// Releases what the thread's variables that are gone have left.
LOCAL void arr_finalized_release_all(void);
