// SPDX-License-Identifier: MIT
// The whole backend interface, for code that implements, loads or tests it.
#pragma once

#include "backend/backend.h"
#include "backend/device.h"
#include "backend/families.h"
#include "backend/graph.h"
#include "backend/ipc.h"
#include "backend/kernels.h"
#include "backend/libraries.h"
#include "backend/managed.h"
#include "backend/memory.h"
#include "backend/pinned.h"
#include "backend/pool.h"
#include "backend/services.h"
#include "backend/stream.h"
#include "backend/texture.h"

namespace arr {

// A module of another build is refused by this size.
#define ARR_BACKEND_TABLE(type, member) +static_cast<int64_t>(sizeof(type))
inline constexpr int64_t backend_tables_bytes = 0
#include "backend/tables.def"
    ;
#undef ARR_BACKEND_TABLE

}  // namespace arr
