// SPDX-License-Identifier: MIT
// arr_leaks.h: what ARR_DEBUG=leaks needs from arr_ownership.c, and what it offers it.
#pragma once

#include "arr_places.h"

// A variable has received this handle.
LOCAL void arr_leaks_note(name held);

// "of a variable", or what else keeps a handle alive.
LOCAL const char* arr_leaks_owner(name held);
