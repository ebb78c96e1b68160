// SPDX-License-Identifier: MIT
// Declares the tables of a backend, for files that only name them.
#pragma once

namespace arr {

#define ARR_BACKEND_TABLE(type, member) struct type;
#include "backend/tables.def"
#undef ARR_BACKEND_TABLE

}  // namespace arr
