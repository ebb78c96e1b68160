// SPDX-License-Identifier: MIT
// The tables of the host backend. Each is filled in the folder of its family.
#pragma once

#include "backend/tables.h"

namespace arr::host {

extern const DeviceApi device_api;
extern const StreamApi stream_api;
extern const MemoryApi memory_api;
extern const PoolApi pool_api;
extern const GraphApi graph_api;
extern const LibraryApi library_api;
extern const KernelApi kernel_api;
extern const TextureApi texture_api;

#define ARR_BACKEND_FAMILY(name, table, contents) extern const table name##_api;
#include "table/families.def"

}  // namespace arr::host
