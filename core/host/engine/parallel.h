// SPDX-License-Identifier: MIT
// Runs independent ranges of work in several threads.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/threads.h"
#include "host/engine/shares.h"

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

// The least part of a loop that a thread takes at once: a quarter of its share, or the grain.
inline int64_t piece_of(int64_t count, int64_t grain, int64_t threads) {
  return std::min(grain, (count - 1) / (4 * threads) + 1);
}

// Calls body(first, last) for parts of 0 .. count, in several threads if there is more than `grain` for
// each; the calling thread runs some of them. Equal loops are shared out equally.
template <class Body>
void parallel_ranges(int64_t count, int64_t grain, const Body& body) {
  if (count <= grain || !threads_are_there()) {
    if (count > 0) body(int64_t{0}, count);
    return;
  }
  const int64_t threads = std::max<int64_t>(1, std::min(concurrency(), (count - 1) / grain + 1));
  Shares shares(count, piece_of(count, grain, threads), threads);
  // The thread may hold locks, so while it waits it must not run tasks of other loops: isolate() prevents
  // that.
  SanitizerOrder order;
  // A nested loop must not be cancelled when another piece of the outer loop fails: the code after the nested
  // loop relies on its results.
  tbb::task_group_context alone(tbb::task_group_context::isolated);
  // Without this, threads would use the floating-point settings of the first use of oneTBB in this thread.
  alone.capture_fp_settings();
  const auto ended = [&] { return alone.is_group_execution_cancelled(); };
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        tbb::blocked_range<int64_t>(0, threads, 1),
        [&](const tbb::blocked_range<int64_t>&) {
          order.acquire();
          shares.run(tbb::this_task_arena::current_thread_index(), body, ended);
          order.release();
        },
        tbb::simple_partitioner(), alone);
  });
  order.acquire();
}

}  // namespace arr::host
