// SPDX-License-Identifier: MIT
// Page-locked host memory, locked by the CUDA driver. It has a separate pool, because locking a page costs
// as much as copying it a few times.
#pragma once

#include "array/array.h"
#include "backend/pinned.h"
#include "backend/pool.h"
#include "base/allocation_sources.h"

namespace arr {

// True if there is a GPU whose driver can lock memory. Loads the module.
bool can_pin();

// Selects the source of new memory: functions of the caller, or nullptr for the driver. Blocks in use are
// returned to the source that they came from.
void set_pinned_functions(const ExternalFunctions* functions);
// True if page-locked memory can be allocated: by the caller's functions, or if can_pin().
bool makes_pinned();

// Allocates uninitialised page-locked memory; requires makes_pinned(). flags: of pinned::; the caller's
// functions do not receive them.
Ref<Buffer> allocate_pinned(int64_t bytes, int32_t flags);

PoolStats pinned_stats();
void pinned_limit(int64_t bytes);  // max bytes in use, 0: no limit
void pinned_trim();

// Page-locks memory of the caller.
void pin(void* data, int64_t bytes, int32_t flags);
void unpin(void* data);
// True if the driver has locked the memory at a host address, for this library or another.
bool is_pinned(const void* data);
// The address of that memory on a device.
void* pinned_on_device(void* data, Device device);

}  // namespace arr
