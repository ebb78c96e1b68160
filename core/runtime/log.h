// SPDX-License-Identifier: MIT
// The receiver of log lines: one function of the caller.
#pragma once

#include "base/log.h"

namespace arr {

using LogFunction = void (*)(void* ctx, int32_t level, const char* line);

// Installs the function for lines of `level` and above; nullptr removes it. The former function's drop is
// called when no call to it is running. On failure nothing changes, and drop is not called.
void set_log(int32_t level, LogFunction function, void (*drop)(void*), void* ctx);

// Gives the function to a module that has just been opened.
const LogSink& core_log();

}  // namespace arr
