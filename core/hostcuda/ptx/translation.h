// SPDX-License-Identifier: MIT
// Modules of PTX as C++ over the shim.
#pragma once

#include <span>

#include "hostcuda/host_kernels.h"
#include "hostcuda/source/source.h"

namespace arr::host_kernels {

// Each of several texts may use what the others define as .visible or .weak. Throws CompileError:
// ARR_E_COMPILE for a text that is no module, ARR_E_UNSUPPORTED for an instruction without a host form; both
// with the line.
Source read_ptx(std::span<const SourceUnit> texts);

}  // namespace arr::host_kernels
