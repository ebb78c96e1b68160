// SPDX-License-Identifier: MIT
// Counts that threads keep for themselves: their sum is exact, also for more threads than have one of their
// own.
#include "base/thread_counts.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

TEST(ThreadCounts, SumOfMoreThreadsThanCountsIsExact) {
  const int64_t before = arr::ThreadCounts::sum();
  constexpr int64_t workers = 150;
  std::atomic<int64_t> ready{0};
  std::vector<std::thread> threads;
  threads.reserve(workers);
  for (int64_t i = 0; i < workers; ++i) {
    threads.emplace_back([&] {
      arr::ThreadCounts::add(1);
      // All at a time, so that some have no count of their own.
      ready.fetch_add(1);
      while (ready.load() < workers) std::this_thread::yield();
      for (int k = 0; k < 1000; ++k) arr::ThreadCounts::add(1);
      for (int k = 0; k < 999; ++k) arr::ThreadCounts::add(-1);
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(arr::ThreadCounts::sum(), before + 2 * workers);
  arr::ThreadCounts::add(-2 * workers);  // what one thread added another one may take off
  EXPECT_EQ(arr::ThreadCounts::sum(), before);
}

TEST(ThreadCounts, CountsOfThreadsThatHaveEndedAreTakenAgain) {
  const int64_t before = arr::ThreadCounts::sum();
  for (int i = 0; i < 1000; ++i) std::thread([] { arr::ThreadCounts::add(1); }).join();
  EXPECT_EQ(arr::ThreadCounts::sum(), before + 1000);
  arr::ThreadCounts::add(-1000);
}

}  // namespace
