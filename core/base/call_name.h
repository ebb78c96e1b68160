// SPDX-License-Identifier: MIT
// The name of the public function that runs on this thread: for memory hooks, and for errors that come later.
#pragma once

#include <atomic>
#include <cstdint>

namespace arr {

inline std::atomic<int32_t> call_listeners{0};
inline thread_local const char* call_name = "";

class CallName {
 public:
  explicit CallName(const char* name) noexcept : before_(call_name) { call_name = name; }
  CallName(const CallName&) = delete;
  CallName& operator=(const CallName&) = delete;
  ~CallName() { call_name = before_; }

 private:
  const char* before_;
};

}  // namespace arr
