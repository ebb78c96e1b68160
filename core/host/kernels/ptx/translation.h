// SPDX-License-Identifier: MIT
// A module of PTX as C++ over the shim.
#pragma once

#include <string_view>

#include "host/kernels/source/source.h"

namespace arr::host_kernels {

// Throws CompileError: ARR_E_COMPILE for a text that is no module, ARR_E_UNSUPPORTED for an instruction
// without a host form; both with the line.
Source read_ptx(std::string_view text, std::string_view file);

}  // namespace arr::host_kernels
