// SPDX-License-Identifier: MIT
// The memory pool under load: a hundred thousand blocks of all sizes, and several threads.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <thread>
#include <vector>

#include "pool_test.h"

namespace arr::cuda_test {
namespace {

struct Held {
  void* p;
  int64_t bytes;
  size_t stream;
};

// A working set that grows and shrinks; returns the largest amount that was requested at a time.
int64_t churn(uint64_t seed, void* const* streams, std::vector<Held>* held) {
  std::mt19937_64 random(seed);
  int64_t asked = 0, max_asked = 0, allocations = 0;
  while (allocations < 100000) {
    const size_t target = allocations / 10000 % 2 == 0 ? 1000 : 1800;
    if (held->size() < target + random() % 200) {
      const double power = static_cast<double>(random() % 1000) * 0.012 + 8;  // 256 bytes to 1 MiB
      const auto bytes = static_cast<int64_t>(std::exp2(power));
      const size_t stream = random() % 8;
      held->push_back({take(bytes, streams[stream]), bytes, stream});
      asked += bytes;
      max_asked = std::max(max_asked, asked);
      ++allocations;
    } else {
      Held& h = (*held)[random() % held->size()];
      give(h.p, h.bytes, streams[h.stream]);
      asked -= h.bytes;
      h = held->back();
      held->pop_back();
    }
  }
  return max_asked;
}

// Sizes of all magnitudes on eight streams: the memory from the driver is little more than the largest
// request at a time, and all of it is released.
TEST_F(PoolTest, LittleIsLostToFragmentation) {
  for (uint64_t seed : {7U, 8U, 9U}) {
    void* streams[8];
    for (void*& s : streams) ARR_WORKS(cuda().stream->create(0, 0, &s, &error));
    ARR_WORKS(cuda().pool->reset_peak(0, &error));
    std::vector<Held> held;
    const int64_t asked = churn(seed, streams, &held);
    PoolStats s;
    ARR_WORKS(cuda().pool->stats(0, &s, &error));
    const double lost = 1 - static_cast<double>(asked) / static_cast<double>(s.peak_reserved);
    std::printf("100000 allocations: asked for %lld, in use %lld, reserved %lld at the most: %.1f %% lost\n",
                static_cast<long long>(asked), static_cast<long long>(s.peak),
                static_cast<long long>(s.peak_reserved), 100 * lost);
    EXPECT_LT(lost, 0.12);
    EXPECT_EQ(s.allocations - s.releases, static_cast<int64_t>(held.size()));
    for (const Held& h : held) give(h.p, h.bytes, streams[h.stream]);
    for (void* x : streams) ARR_WORKS(cuda().stream->destroy(0, x, &error));
    ARR_WORKS(cuda().memory->trim(0, &error));
    ARR_WORKS(cuda().pool->stats(0, &s, &error));
    EXPECT_EQ(s.in_use, 0);
    EXPECT_EQ(s.reserved, 0);
    EXPECT_EQ(s.allocations, s.releases);
    EXPECT_EQ(s.hits + s.misses, s.allocations);
    EXPECT_EQ(s.free_blocks, 0);
  }
}

TEST_F(PoolTest, ThreadsDoNotDisturbEachOther) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      void* stream = streams_[t % 2];
      for (int i = 0; i < 2000; ++i) {
        int64_t bytes = 100 + (i * 37 + t) % 5000;
        void* p = take(bytes, stream);
        give(p, bytes, i % 3 == 0 ? streams_[(t + 1) % 2] : stream);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(stats().in_use, 0);
}

}  // namespace
}  // namespace arr::cuda_test
