// SPDX-License-Identifier: MIT
// Page-locked host memory, which every device of the type can access.
#pragma once

#include <cstdint>

#include "backend/error.h"

namespace arr {

// The same numbers as the public ARR_PINNED_...
namespace pinned {
inline constexpr int32_t mapped = 1, write_combined = 2, read_only = 4;
}

// flags: of pinned::, without write_combined for registered memory and without read_only for new memory.
// ARR_E_MEMORY if no more can be locked.
struct PinnedApi {
  int32_t (*allocate)(int32_t device, int64_t bytes, int32_t flags, void** data, BackendError*);
  int32_t (*release)(int32_t device, void* data, BackendError*);
  int32_t (*register_memory)(int32_t device, void* data, int64_t bytes, int32_t flags, BackendError*);
  int32_t (*unregister_memory)(int32_t device, void* data, BackendError*);
  int32_t (*is_pinned)(int32_t device, const void* data, int32_t* yes, BackendError*);
  int32_t (*device_address)(int32_t device, void* data, void** address, BackendError*);
};

}  // namespace arr
