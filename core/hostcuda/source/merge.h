// SPDX-License-Identifier: MIT
// Merges the sources of a module into one text to compile: includes the user's headers and keeps macros of
// the sources separate.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hostcuda/host_kernels.h"

namespace arr::host_kernels {

// Replaces an #include of a file on the include paths (-I of the options) by the file's text, because the
// compiler must not read it before CUDA's keywords are macros. A header with `#pragma once` is included once;
// a header that is already being included is left out, as by its guard. #line directives keep the messages
// right.
std::string merge_sources(std::span<const SourceUnit> units, const std::vector<std::string>& options);

}  // namespace arr::host_kernels
