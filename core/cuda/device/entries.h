// SPDX-License-Identifier: MIT
// Entries of the backend's tables that are defined in other files than the table.
#pragma once

#include <cstdint>
#include <string>

#include "backend/error.h"

namespace arr::cuda {

int32_t probe(std::string* report, BackendError* e);
int32_t memory_device(const void* data, int32_t* device, BackendError* e);
int32_t copy_from_peer(int32_t device, void* to, int32_t peer, const void* from, int64_t bytes, void* stream,
                       BackendError* e);

}  // namespace arr::cuda
