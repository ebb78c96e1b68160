// SPDX-License-Identifier: MIT
// Ranges of work in oneTBB's threads.
#include "host/elementwise/parallel.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

#include "host/elementwise/static_partition.h"
#include "host/loops/table.h"

namespace arr::host {

namespace {

// The thread sanitizer cannot see how oneTBB orders a loop's pieces after the code before the loop and before
// the code after it, because oneTBB is not instrumented. Under the sanitizer, operations on an atomic express
// that order.
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

}  // namespace

int64_t concurrency() { return threads_available() ? tbb::this_task_arena::max_concurrency() : 1; }

void run_ranges(int64_t count, int64_t grain, const void* body, void (*call)(const void*, int64_t, int64_t)) {
  loops();  // an invalid ARR_ISA fails in the caller, not in a thread that others wait for
  const int64_t threads = std::max<int64_t>(1, std::min(concurrency(), (count - 1) / grain + 1));
  StaticPartition partition(count, piece_of(count, grain, threads), threads);
  // The thread may hold locks, so while it waits it must not run tasks of other loops: isolate() prevents
  // that.
  SanitizerOrder order;
  // A nested loop must not be cancelled when another piece of the outer loop fails: the code after the nested
  // loop relies on its results.
  tbb::task_group_context alone(tbb::task_group_context::isolated);
  // Without this, threads would use the floating-point settings that this thread had when it first used
  // oneTBB.
  alone.capture_fp_settings();
  const auto part = [&](int64_t first, int64_t last) { call(body, first, last); };
  const auto ended = [&] { return alone.is_group_execution_cancelled(); };
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        tbb::blocked_range<int64_t>(0, threads, 1),
        [&](const tbb::blocked_range<int64_t>&) {
          order.acquire();
          partition.run(tbb::this_task_arena::current_thread_index(), part, ended);
          order.release();
        },
        tbb::simple_partitioner(), alone);
  });
  order.acquire();
}

}  // namespace arr::host
