// SPDX-License-Identifier: MIT
// arr_leaks.h: the functions that arr_leaks.c and arr_ownership.c call of each other for ARR_DEBUG=leaks.
#pragma once

#include "arr_places.h"

// A variable has received this handle.
LOCAL void arr_leaks_note(name held);

// "of a variable", or what else keeps a handle alive.
LOCAL const char* arr_leaks_owner(name held);
