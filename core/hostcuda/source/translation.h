// SPDX-License-Identifier: MIT
// The text that is compiled: our shim, the user's source, and one entry per kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hostcuda/source/source.h"

namespace arr::host_kernels {

struct Unit {
  std::string name;  // the name expression
  bool loop, fiber;  // the ways to run it that are compiled
};

constexpr const char* entries_file = "arr_entries";  // line i + 1 of it is unit i

// `definitions`: #define and #undef lines of the caller's options. `fission`: for a compiler with our pass.
// `checked`: accesses to memory call the runtime.
std::string translation_unit(const Source& source, std::string_view definitions,
                             const std::vector<Unit>& units, bool wide_grid, bool fission, bool checked);

extern const std::string_view shim_text;  // made of shim/*.h at build time

constexpr unsigned long long max_shared_bytes = 232448;  // of a block, when asked for; as on current GPUs

}  // namespace arr::host_kernels
