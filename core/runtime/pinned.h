// SPDX-License-Identifier: MIT
// Page-locked host memory, locked by the CUDA driver. It has a separate pool, because locking a page costs
// as much as copying it a few times.
#pragma once

#include "array/array.h"
#include "backend/pinned.h"
#include "backend/pool.h"
#include "base/allocation_sources.h"

namespace arr {

// True if there is a GPU whose driver can lock memory; loads the module.
bool can_pin();

// Selects the source of new memory: functions of the caller, or nullptr for the driver. Blocks in use return
// to their own source.
void set_pinned_functions(const ExternalFunctions* functions);
// True if page-locked memory can be allocated: by the functions, or where can_pin().
bool makes_pinned();

// Uninitialised host memory, where makes_pinned(). flags: of pinned::; the caller's functions do not get
// them.
Ref<Buffer> allocate_pinned(int64_t bytes, int32_t flags);

PoolStats pinned_stats();
void pinned_limit(int64_t bytes);  // most bytes in use, 0: no limit
void pinned_trim();

// Page-locks memory of the caller.
void pin(void* data, int64_t bytes, int32_t flags);
void unpin(void* data);
// True if the driver has locked the memory at an address of the host, by this library or another.
bool is_pinned(const void* data);
// Its address on a device.
void* pinned_on_device(void* data, Device device);

}  // namespace arr
