// SPDX-License-Identifier: MIT
// pool [threads] - what one allocation and release from the host pool's cache costs, alone and with several
// threads at once; prints JSON. Each thread's time is the least of several rounds, in its own processor time.
#include "host/device/pool.h"

#include <ctime>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Nanoseconds per pair, of one size or of eight in turn.
double pair_ns(int64_t bytes, int64_t step) {
  constexpr int pairs = 1000000, rounds = 5;
  arr::host::Pool& pool = arr::host::pool();
  double best = 1e9;
  for (int r = 0; r < rounds; ++r) {
    const double begin = processor_seconds();
    for (int i = 0; i < pairs; ++i) {
      const int64_t n = bytes + step * (i & 7);
      pool.release(pool.allocate(n), n);
    }
    best = std::min(best, (processor_seconds() - begin) / pairs * 1e9);
  }
  return best;
}

// The slowest of several threads that all do it.
double together_ns(int threads, int64_t bytes, int64_t step) {
  std::vector<double> each(static_cast<size_t>(threads));
  std::vector<std::thread> all;
  for (double& e : each) all.emplace_back([&] { e = pair_ns(bytes, step); });
  for (std::thread& t : all) t.join();
  return *std::max_element(each.begin(), each.end());
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  const double small = pair_ns(1000, 0), mixed = pair_ns(1000, 1000), large = pair_ns(8 << 20, 0);
  const double shared = together_ns(threads, 1000, 1000);
  std::printf(
      "{\"pool_pair_1000_bytes_ns\": %.1f, \"pool_pair_mixed_ns\": %.1f, \"pool_pair_8_MiB_ns\": %.1f, "
      "\"threads\": %d, \"pool_pair_mixed_threads_ns\": %.1f, \"speedup_of_threads\": %.2f}\n",
      small, mixed, large, threads, shared, threads * mixed / shared);
  return 0;
}
