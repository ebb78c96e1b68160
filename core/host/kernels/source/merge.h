// SPDX-License-Identifier: MIT
// From the sources of a module to the one text that is compiled: own headers pasted in, macros kept apart.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/kernels/host_kernels.h"

namespace arr::host_kernels {

// Where a file of the include paths (-I of the options) is included, its text stands instead: CUDA's keywords
// are macros by then, so the compiler must not read it earlier. A header with `#pragma once` comes once; one
// that is being included already is left out, as its guard would. #line keeps the messages right.
std::string merge_sources(std::span<const SourceUnit> units, const std::vector<std::string>& options);

}  // namespace arr::host_kernels
