// SPDX-License-Identifier: MIT
// Functions that a caller has set for the whole process, while other threads run them or set others.
#pragma once

#include <mutex>

#include "base/fork.h"
#include "base/object.h"

namespace arr {

// `Functions` with the pointer that they are called with. drop(ctx) is called once no call is in them.
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
  // Run without the lock: they may set others.
  Ref<CallerFunctions<Functions>> now() noexcept {
    const std::lock_guard lock(mutex_);
    return Ref<CallerFunctions<Functions>>::share(now_.get());
  }
  // Sets the functions, or none (nullptr). `then` runs under the lock, before another thread can set others.
  template <class Then>
  void set(Ref<CallerFunctions<Functions>> fresh, Then then) {
    Ref<CallerFunctions<Functions>> before;  // ends after the lock: a drop function may come back here
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
