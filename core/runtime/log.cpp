// SPDX-License-Identifier: MIT
// The caller's function that receives log lines.
#include "runtime/log.h"

#include <new>

#include "base/utf8.h"
#include "runtime/caller_functions.h"

namespace arr {

namespace {

// Never destroyed: lines are logged at exit too.
CallerFunctionsSlot<LogFunction>& listener() {
  static auto* l = new CallerFunctionsSlot<LogFunction>;
  return *l;
}
constexpr int32_t nothing = INT32_MAX;
std::atomic<int32_t> min_level{nothing};

bool wants(int32_t level) noexcept { return level >= min_level.load(std::memory_order_relaxed); }

void write_line(int32_t level, const char* line) noexcept {
  const auto now = listener().now();
  if (!now) return;
  try {
    now->functions(now->ctx, level, as_utf8(line).c_str());
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): without memory the line is dropped
  }
}

constexpr LogSink sink{wants, write_line};

}  // namespace

const LogSink& core_log() { return sink; }

void set_log(int32_t level, LogFunction function, void (*drop)(void*), void* ctx) {
  Ref<CallerFunctions<LogFunction>> fresh;
  if (function != nullptr) fresh = make<CallerFunctions<LogFunction>>(function, drop, ctx);
  listener().set(std::move(fresh), [&] {
    min_level.store(function != nullptr ? level : nothing, std::memory_order_relaxed);
    log_sink.store(&sink, std::memory_order_release);
  });
}

}  // namespace arr
