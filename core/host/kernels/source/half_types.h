// SPDX-License-Identifier: MIT
// The part of the shim that has CUDA's 16-bit types.
#pragma once

#include <string>
#include <string_view>

#include "host/kernels/source/source.h"

namespace arr::host_kernels {

// Empty for a source without their headers; of the types and functions no more than it may name.
std::string half_types_shim(const Source& source, std::string_view definitions);

}  // namespace arr::host_kernels
