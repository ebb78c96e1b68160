// SPDX-License-Identifier: MIT
// Functions that a caller has set for the whole process; other threads may run them or set others at the same
// time.
#pragma once

#include <mutex>

#include "base/fork.h"
#include "base/object.h"

namespace arr {

// `Functions` and the pointer that they are called with. drop(ctx) is called when no call to them is running.
template <class Functions>
class CallerFunctions final : public Object {
 public:
  CallerFunctions(Functions given, void (*drop)(void*), void* given_ctx) noexcept
      : functions(given), ctx(given_ctx), drop_(drop) {}

  const Functions functions;
  void* const ctx;

 protected:
  ~CallerFunctions() override {
    if (drop_ != nullptr) drop_(ctx);
  }

 private:
  void (*drop_)(void*);
};

template <class Functions>
class CallerFunctionsSlot {
 public:
  // Runs without the lock, because the functions may set others.
  Ref<CallerFunctions<Functions>> now() noexcept {
    const std::lock_guard lock(mutex_);
    return Ref<CallerFunctions<Functions>>::share(now_.get());
  }
  // Sets the functions, or removes them (nullptr). `then` runs under the lock, before another thread can set
  // others.
  template <class Then>
  void set(Ref<CallerFunctions<Functions>> fresh, Then then) {
    Ref<CallerFunctions<Functions>> before;  // destroyed after the lock: drop may call this again
    const std::lock_guard lock(mutex_);
    before = std::move(now_);
    now_ = std::move(fresh);
    then();
  }

 private:
  ProcessMutex mutex_;
  Ref<CallerFunctions<Functions>> now_;
};

}  // namespace arr
