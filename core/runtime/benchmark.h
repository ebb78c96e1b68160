// SPDX-License-Identifier: MIT
// Measures the time of work that a function enqueues in a stream.
#pragma once

#include <functional>

#include "arr/stream.h"
#include "runtime/streams.h"

namespace arr {

// The times of one run, in nanoseconds.
struct Times {
  double median = 0, mean = 0, min = 0, max = 0, std = 0;
};
struct BenchmarkResult {
  int64_t repeats = 0;
  Times host, device;
};
struct BenchmarkPlan {
  int64_t repeats = 100, warmup = 3;
  double seconds = 1;
};
// Calls run(), which enqueues the work, and waits for each run.
BenchmarkResult benchmark(const BenchmarkPlan& plan, const Queue& q, const std::function<void()>& run);

}  // namespace arr
