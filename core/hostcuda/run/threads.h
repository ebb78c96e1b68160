// SPDX-License-Identifier: MIT
// The number of threads that a launch may use.
#pragma once

#include <atomic>

#include "base/thread_limit.h"
#include "base/threads.h"

namespace arr::host_kernels {

// In the module: the function of libarr that counts the usable threads, which follows arr_set_threads and
// fork(). nullptr in programs that link the objects of the module: they count themselves.
inline std::atomic<int (*)() noexcept> thread_source{nullptr};

// The threads that a launch may use, the calling thread included; 1 where none can be started.
inline int usable_threads() noexcept {
  const auto source = thread_source.load(std::memory_order_acquire);
  if (source != nullptr) return source();
  return threads_available() ? thread_limit() : 1;
}

}  // namespace arr::host_kernels
