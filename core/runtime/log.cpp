// SPDX-License-Identifier: MIT
// The function that lines go to.
#include "runtime/log.h"

#include <mutex>

#include "base/fork.h"
#include "base/object.h"

namespace arr {

namespace {

class Listener final : public Object {
 public:
  Listener(LogFunction function, void (*drop)(void*), void* ctx) noexcept
      : function_(function), drop_(drop), ctx_(ctx) {}
  void tell(int32_t level, const char* line) const noexcept { function_(ctx_, level, line); }

 protected:
  ~Listener() override {
    if (drop_ != nullptr) drop_(ctx_);
  }

 private:
  LogFunction function_;
  void (*drop_)(void*);
  void* ctx_;
};

struct Listening {
  ProcessMutex mutex;
  Ref<Listener> now;
};
// Never destroyed: there are lines at exit too.
Listening& listening() {
  static auto* l = new Listening;
  return *l;
}
constexpr int32_t nothing = INT32_MAX;
std::atomic<int32_t> least{nothing};

bool wants(int32_t level) noexcept { return level >= least.load(std::memory_order_relaxed); }

void write(int32_t level, const char* line) noexcept {
  Ref<Listener> now;  // called without the lock: it may set another
  {
    const std::lock_guard lock(listening().mutex);
    now = Ref<Listener>::share(listening().now.get());
  }
  if (now) now->tell(level, line);
}

constexpr LogSink sink{wants, write};

}  // namespace

const LogSink& core_log() { return sink; }

void set_log(int32_t level, LogFunction function, void (*drop)(void*), void* ctx) {
  Ref<Listener> before, fresh;  // end after the lock: a drop function may come back here
  if (function != nullptr) fresh = make<Listener>(function, drop, ctx);
  const std::lock_guard lock(listening().mutex);
  before = std::move(listening().now);
  listening().now = std::move(fresh);
  least.store(function != nullptr ? level : nothing, std::memory_order_relaxed);
  log_sink.store(&sink, std::memory_order_release);
}

}  // namespace arr
