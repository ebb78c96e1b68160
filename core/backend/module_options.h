// SPDX-License-Identifier: MIT
// A check of a module's options that the backends share.
#pragma once

#include "backend/kernels.h"

namespace arr {

// The first option of the call that only a compiler of source can follow; null: there is none.
inline const char* option_for_source(const ModuleCall& call) {
  return !call.include_paths.empty() ? "include_paths"
         : !call.defines.empty()     ? "defines"
         : !call.names.empty()       ? "names"
         : call.standard != 0        ? "standard"
         : call.fast_math            ? "fast_math"
                                     : nullptr;
}

}  // namespace arr
