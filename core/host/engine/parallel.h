// SPDX-License-Identifier: MIT
// Spreads independent ranges of work over the threads.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstdint>

#include "base/threads.h"

namespace arr::host {

// Work of fewer elements is done by the calling thread: waking another costs more.
inline constexpr int64_t serial_elements = 32 * 1024;

// oneTBB orders a loop's pieces behind what the caller did before and ahead of what it does next, but its
// library is not instrumented, so the thread sanitizer cannot see it: under the sanitizer an atomic shows the
// same order.
class Order {
 public:
#if defined(__SANITIZE_THREAD__)
  Order() { turns_.store(1, std::memory_order_release); }
  void behind() const { static_cast<void>(turns_.load(std::memory_order_acquire)); }
  void ahead() { turns_.fetch_add(1, std::memory_order_acq_rel); }

 private:
  std::atomic<int64_t> turns_{0};
#else
  void behind() const {}
  void ahead() {}
#endif
};

// How many threads a loop of the calling thread may be spread over.
inline int64_t concurrency() { return threads_are_there() ? tbb::this_task_arena::max_concurrency() : 1; }

// body(first, last) over pieces of 0 .. count, each of `grain` or more; one piece runs on the caller.
template <class Body>
void parallel_ranges(int64_t count, int64_t grain, const Body& body) {
  if (count <= grain || !threads_are_there()) {
    if (count > 0) body(int64_t{0}, count);
    return;
  }
  // The thread may hold locks: while it waits for others it runs no task but these.
  Order order;
  // A loop inside another one's body runs to its end when a neighbour of that body fails: what comes after
  // the loop counts on it.
  tbb::task_group_context alone(tbb::task_group_context::isolated);
  // Else threads compute as whoever was the first to use oneTBB in this thread had set for itself.
  alone.capture_fp_settings();
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        tbb::blocked_range<int64_t>(0, count, static_cast<size_t>(grain)),
        [&](const tbb::blocked_range<int64_t>& r) {
          order.behind();
          body(r.begin(), r.end());
          order.ahead();
        },
        alone);
  });
  order.behind();
}

}  // namespace arr::host
