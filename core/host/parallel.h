// SPDX-License-Identifier: MIT
// Spreads independent ranges of work over the threads.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstdint>

namespace arr::host {

// Work of fewer elements is done by the calling thread: waking another costs more.
inline constexpr int64_t serial_elements = 32 * 1024;

// body(first, last) over pieces of 0 .. count, each of `grain` or more; one piece runs on the caller.
template <class Body>
void parallel_ranges(int64_t count, int64_t grain, const Body& body) {
  if (count <= grain) {
    if (count > 0) body(int64_t{0}, count);
    return;
  }
  // The thread may hold locks: while it waits for others it runs no task but these.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(tbb::blocked_range<int64_t>(0, count, static_cast<size_t>(grain)),
                      [&](const tbb::blocked_range<int64_t>& r) { body(r.begin(), r.end()); });
  });
}

}  // namespace arr::host
