// SPDX-License-Identifier: MIT
// Loops over threads inside the bodies of others.
#include "host/engine/parallel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace arr::test {
namespace {

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
