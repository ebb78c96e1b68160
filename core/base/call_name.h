// SPDX-License-Identifier: MIT
// The public function that runs on this thread, for memory hooks and deferred errors, and a flag for a
// thread's first call of the library.
#pragma once

#include <atomic>
#include <cstdint>

namespace arr {

inline std::atomic<int32_t> call_listeners{0};

struct CallingThread {
  const char* call_name = "";
  bool counted = false;  // counted among the threads that have called the library; see fork.h
};
inline constinit thread_local CallingThread calling_thread;

class CallName {
 public:
  explicit CallName(const char* name) noexcept : thread_(this_thread()), before_(thread_.call_name) {
    thread_.call_name = name;
  }
  CallName(const CallName&) = delete;
  CallName& operator=(const CallName&) = delete;
  ~CallName() { thread_.call_name = before_; }
  [[nodiscard]] bool is_first() const noexcept { return !thread_.counted; }

 private:
  // The address of thread-local data takes a call in a shared library. The empty asm statement keeps the
  // compiler from computing the address again.
  static CallingThread& this_thread() noexcept {
    CallingThread* thread = &calling_thread;
    asm("" : "+r"(thread));
    return *thread;
  }
  CallingThread& thread_;
  const char* before_;
};

}  // namespace arr
