// SPDX-License-Identifier: MIT
// Managed memory, which the driver moves between devices and the host; bytes from `data` on.
#pragma once

#include <cstdint>

#include "backend/error.h"

namespace arr {

// target: a device of the type, or -1 for the host; advice: like the public ARR_ADVISE_... ARR_E_ARGUMENT if
// the memory is not managed.
struct ManagedApi {
  int32_t (*is_managed)(int32_t device, const void* data, int32_t* yes, BackendError*);
  int32_t (*prefetch)(int32_t device, void* data, int64_t bytes, int32_t target, void* stream, BackendError*);
  int32_t (*advise)(int32_t device, void* data, int64_t bytes, int32_t advice, int32_t target, BackendError*);
};

}  // namespace arr
