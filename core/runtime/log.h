// SPDX-License-Identifier: MIT
// The receiver of the log: one function of the caller.
#pragma once

#include "base/log.h"

namespace arr {

using LogFunction = void (*)(void* ctx, int32_t level, const char* line);

// Installs the function for lines of `level` and above; nullptr removes it. The former function's drop is
// called once no call is in it. On failure nothing changes, and drop is not called.
void set_log(int32_t level, LogFunction function, void (*drop)(void*), void* ctx);

// For a module that has just been opened.
const LogSink& core_log();

}  // namespace arr
