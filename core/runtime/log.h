// SPDX-License-Identifier: MIT
// Who hears of what the library does: one function of the caller's.
#pragma once

#include "base/log.h"

namespace arr {

using LogFunction = void (*)(void* ctx, int32_t level, const char* line);

// Lines of `level` and above go to the function from now on; nullptr: nowhere. What was set before ends: its
// drop is called once nobody is in it any more. On failure all is as it was, and drop is not called.
void set_log(int32_t level, LogFunction function, void (*drop)(void*), void* ctx);

// For a module that has just been opened.
const LogSink& core_log();

}  // namespace arr
