// SPDX-License-Identifier: MIT
#include "arr/log.h"

#include "capi/src/entry.h"
#include "runtime/log.h"

using namespace arr::capi;

static_assert(arr::log_level::debug == ARR_LOG_DEBUG && arr::log_level::info == ARR_LOG_INFO &&
              arr::log_level::warning == ARR_LOG_WARNING);

arr_status arr_log_set(int32_t level, void (*log)(void* ctx, int32_t level, const char* line),
                       void (*drop)(void* ctx), void* ctx) {
  return guard("arr_log_set", [&] {
    if (log != nullptr && (level < ARR_LOG_DEBUG || level > ARR_LOG_WARNING)) {
      arr::fail(ARR_E_ARGUMENT, "argument level: ", level, ", expected one of ARR_LOG_...");
    }
    arr::set_log(level, log, drop, ctx);
  });
}
