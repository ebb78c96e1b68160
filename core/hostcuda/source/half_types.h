// SPDX-License-Identifier: MIT
// The part of the shim with CUDA's 16-bit types.
#pragma once

#include <string>
#include <string_view>

#include "hostcuda/source/source.h"

namespace arr::host_kernels {

// Returns only the types and functions that the source may name, or `named` does: definitions of macros and
// names of kernels. "" for a source without their headers.
std::string half_types_shim(const Source& source, std::string_view named);

}  // namespace arr::host_kernels
