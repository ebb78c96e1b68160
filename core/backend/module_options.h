// SPDX-License-Identifier: MIT
// A check of module options, shared by backends.
#pragma once

#include "backend/kernels.h"

namespace arr {

// The first option of the call that requires compilation from source; null: there is none.
inline const char* option_for_source(const ModuleCall& call) {
  return !call.include_paths.empty() ? "include_paths"
         : !call.defines.empty()     ? "defines"
         : !call.names.empty()       ? "names"
         : call.standard != 0        ? "standard"
         : call.fast_math            ? "fast_math"
                                     : nullptr;
}

}  // namespace arr
