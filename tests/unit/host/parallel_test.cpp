// SPDX-License-Identifier: MIT
// Loops over threads: which pieces each runs, and loops inside the bodies of others.
#include "host/elementwise/parallel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "host/elementwise/static_partition.h"

namespace arr::test {
namespace {

TEST(HostParallel, EveryPieceRunsOnce) {
  for (const int64_t threads : {1, 2, 3, 7, 64, 1000}) {
    for (const int64_t count : {1, 2, 63, 1000}) {
      for (const int64_t piece : {1, 7, 2000}) {
        host::StaticPartition partition(count, piece, threads);
        std::vector<int> runs(static_cast<size_t>(count));
        for (int64_t t = threads - 1; t >= 0; t -= 2) {
          partition.run(
              t,
              [&](int64_t first, int64_t last) {
                for (int64_t i = first; i < last; ++i) ++runs[static_cast<size_t>(i)];
              },
              [] { return false; });
        }
        EXPECT_EQ(runs, std::vector<int>(static_cast<size_t>(count), 1)) << threads << " " << count;
      }
    }
  }
}

// Lines of memory would change the thread otherwise, which costs more than two threads save.
TEST(HostParallel, AThreadGetsTheSamePartOfEachLoop) {
  for (const int64_t count : {80, 81, 8000}) {
    host::StaticPartition partition(count, host::piece_of(count, 10, 2), 2);
    int64_t done[2] = {0, 0}, from[2] = {count, count}, to[2] = {0, 0};
    // Both take pieces in turn, one of them faster.
    for (int turn = 0; done[0] + done[1] < count; ++turn) {
      const int64_t t = turn % 3 == 0 ? 0 : 1;
      bool one = false;
      partition.run(
          t,
          [&](int64_t first, int64_t last) {
            one = true;
            done[t] += last - first;
            from[t] = std::min(from[t], first);
            to[t] = std::max(to[t], last);
          },
          [&] { return one; });
    }
    EXPECT_EQ(from[0], 0);
    EXPECT_EQ(to[1], count);
    EXPECT_EQ(to[0], from[1]) << "each has one range";
    EXPECT_GT(done[0], count / 4);
  }
}

// One body fails while another is about to begin a loop of its own: that loop is whole, or what comes after
// it would work on what was never computed.
TEST(HostParallel, InnerLoopsAreWholeWhenANeighbourFails) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<bool> begun{false}, thrown{false};
    auto wait = [](const std::atomic<bool>& flag) {  // a while: there may be one thread alone
      for (int i = 0; i < 2000 && !flag; ++i) std::this_thread::sleep_for(std::chrono::microseconds(1));
    };
    std::atomic<int64_t> done{0};
    std::atomic<int64_t> behind{-1};  // what was done when the inner loop had ended
    auto body = [&](int64_t first, int64_t) {
      if (first == 0) {
        wait(begun);
        thrown = true;
        throw std::runtime_error("the neighbour");
      }
      begun = true;
      wait(thrown);
      std::this_thread::sleep_for(std::chrono::microseconds(round));
      host::parallel_ranges(1000, 1, [&](int64_t from, int64_t to) { done += to - from; });
      behind = done.load();
    };
    EXPECT_THROW(host::parallel_ranges(2, 1, body), std::runtime_error);
    ASSERT_TRUE(behind == -1 || behind == 1000) << behind << " of 1000";
  }
}

}  // namespace
}  // namespace arr::test
