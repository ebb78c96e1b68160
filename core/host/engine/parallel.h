// SPDX-License-Identifier: MIT
// Runs independent ranges of work in several threads.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstdint>

#include "base/threads.h"

namespace arr::host {

// Work of fewer elements runs in the calling thread, because waking another costs more.
inline constexpr int64_t serial_elements = 32 * 1024;

// oneTBB orders a loop's pieces after what the caller did before the loop and before what it does next. Its
// library is not instrumented, so the thread sanitizer cannot see that. Under the sanitizer, operations on an
// atomic show the same order.
class SanitizerOrder {
 public:
#if defined(__SANITIZE_THREAD__)
  SanitizerOrder() { turns_.store(1, std::memory_order_release); }
  void acquire() const { static_cast<void>(turns_.load(std::memory_order_acquire)); }
  void release() { turns_.fetch_add(1, std::memory_order_acq_rel); }

 private:
  std::atomic<int64_t> turns_{0};
#else
  void acquire() const {}
  void release() {}
#endif
};

// The number of threads that a loop of the calling thread can use.
inline int64_t concurrency() { return threads_are_there() ? tbb::this_task_arena::max_concurrency() : 1; }

// Calls body(first, last) for pieces of 0 .. count of at least `grain`; the calling thread runs some of them.
template <class Body>
void parallel_ranges(int64_t count, int64_t grain, const Body& body) {
  if (count <= grain || !threads_are_there()) {
    if (count > 0) body(int64_t{0}, count);
    return;
  }
  // The thread may hold locks, so while it waits it must not run tasks of other loops: isolate() prevents
  // that.
  SanitizerOrder order;
  // A nested loop must not be cancelled when another piece of the outer loop fails: the code after the nested
  // loop relies on its results.
  tbb::task_group_context alone(tbb::task_group_context::isolated);
  // Without this, threads would use the floating-point settings of the first use of oneTBB in this thread.
  alone.capture_fp_settings();
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        tbb::blocked_range<int64_t>(0, count, static_cast<size_t>(grain)),
        [&](const tbb::blocked_range<int64_t>& r) {
          order.acquire();
          body(r.begin(), r.end());
          order.release();
        },
        alone);
  });
  order.acquire();
}

}  // namespace arr::host
