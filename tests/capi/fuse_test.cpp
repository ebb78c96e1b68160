// SPDX-License-Identifier: MIT
// Scopes of recorded operations and threads: what one records others read, write and release. For
// ThreadSanitizer above all; tests/conformance/fus*.py have the values.
#include <arr/arr.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

#include "uniform_arrays.h"

namespace {

using arr_test::apply;
using arr_test::release;
using arr_test::stats;

constexpr int64_t n = 256;

arr_array full(double x) { return arr_test::full(x, n); }
float uniform(arr_array a) { return arr_test::uniform(a, n); }

class Fuse : public testing::Test {
 protected:
  void SetUp() override {
    release({full(0)});  // what the library keeps for good is there now
    handles = arr_live_handles();
    objects = arr_live_objects();
  }
  void TearDown() override {
    EXPECT_EQ(arr_live_handles(), handles);
    EXPECT_EQ(arr_live_objects(), objects);
  }
  int64_t handles = 0, objects = 0;
};

TEST_F(Fuse, OneProgram) {
  arr_array a = full(3), b = full(2);
  const arr_fuse_stats before = stats();
  ASSERT_EQ(arr_fuse_begin(ARR_FUSE_SMALL), ARR_OK);
  arr_array t = apply(arr_multiply, a, b), u = apply(arr_add, t, a), r = apply(arr_subtract, u, b);
  release({t, u});
  EXPECT_EQ(stats().programs, before.programs);
  EXPECT_EQ(arr_fuse_end(), ARR_OK);
  EXPECT_EQ(stats().recorded, before.recorded + 3);
  EXPECT_EQ(stats().programs, before.programs + 1);
  EXPECT_EQ(uniform(r), 7);
  release({a, b, r});
}

// A thread records a chain; others take each result as it comes, read it, compute with it and let go of it.
TEST_F(Fuse, ReadersOfWhatIsRecorded) {
  constexpr int readers = 3, steps = 200;
  arr_array a = full(1);
  std::vector<std::atomic<arr_array>> shown(steps);
  std::vector<std::thread> threads;
  for (int k = 0; k < readers; ++k) {
    threads.emplace_back([&, k] {
      for (int i = k; i < steps; i += readers) {
        arr_array x = nullptr;
        while ((x = shown[static_cast<size_t>(i)].load()) == nullptr) std::this_thread::yield();
        arr_array y = apply(arr_add, x, x);
        EXPECT_EQ(uniform(y), static_cast<float>(2 * (i + 2)));
        EXPECT_EQ(uniform(x), static_cast<float>(i + 2));
        release({x, y});
      }
    });
  }
  ASSERT_EQ(arr_fuse_begin(ARR_FUSE_SMALL), ARR_OK);
  arr_array last = nullptr;
  ASSERT_EQ(arr_retain(a, &last), ARR_OK);
  for (int i = 0; i < steps; ++i) {
    arr_array next = apply(arr_add, last, a), kept = nullptr;
    release({last});
    last = next;
    ASSERT_EQ(arr_retain(next, &kept), ARR_OK);
    shown[static_cast<size_t>(i)].store(kept);
  }
  EXPECT_EQ(arr_fuse_end(), ARR_OK);
  EXPECT_EQ(uniform(last), steps + 1);
  for (std::thread& t : threads) t.join();
  release({a, last});
}

// Each thread in a scope of its own, with results that another one has recorded.
TEST_F(Fuse, ScopesOfSeveralThreads) {
  constexpr int count = 4, rounds = 50;
  arr_array a = full(2);
  std::array<std::atomic<arr_array>, count> given{};
  std::barrier meet(count);
  std::vector<std::thread> threads;
  for (int k = 0; k < count; ++k) {
    threads.emplace_back([&, k] {
      for (int i = 0; i < rounds; ++i) {
        EXPECT_EQ(arr_fuse_begin(ARR_FUSE_SMALL), ARR_OK);
        arr_array mine = apply(arr_multiply, a, a);
        given[static_cast<size_t>(k)].store(mine);
        meet.arrive_and_wait();
        arr_array other = given[static_cast<size_t>((k + 1) % count)].load();
        arr_array sum = apply(arr_add, mine, other), more = apply(arr_add, sum, a);
        release({sum});
        EXPECT_EQ(arr_fuse_end(), ARR_OK);
        EXPECT_EQ(uniform(more), 10);
        meet.arrive_and_wait();
        release({mine, more});
      }
    });
  }
  for (std::thread& t : threads) t.join();
  release({a});
}

// A write on another thread, which comes after the recording, waits for what reads the old values.
TEST_F(Fuse, WritesOfAnotherThread) {
  arr_array a = full(1), b = full(5), c = full(1);
  std::barrier meet(2);
  std::thread writer([&] {
    for (int i = 0; i < 100; ++i) {
      meet.arrive_and_wait();
      EXPECT_EQ(arr_add_into(a, a, b, nullptr), ARR_OK) << arr_last_error();
      meet.arrive_and_wait();
    }
  });
  ASSERT_EQ(arr_fuse_begin(ARR_FUSE_SMALL), ARR_OK);
  for (int i = 0; i < 100; ++i) {
    arr_array before = apply(arr_add, a, b);
    meet.arrive_and_wait();
    EXPECT_EQ(arr_multiply_into(c, c, c, nullptr), ARR_OK) << arr_last_error();
    meet.arrive_and_wait();
    EXPECT_EQ(uniform(before), static_cast<float>(5 * i + 6));
    release({before});
  }
  EXPECT_EQ(arr_fuse_end(), ARR_OK);
  writer.join();
  EXPECT_EQ(uniform(a), 501);
  release({a, b, c});
}

TEST_F(Fuse, ThreadThatEndsInAScope) {
  arr_array a = full(4), t = nullptr, u = nullptr;
  std::thread([&] {
    EXPECT_EQ(arr_fuse_begin(ARR_FUSE_SMALL), ARR_OK);
    EXPECT_EQ(arr_fuse_begin(ARR_FUSE_SMALL), ARR_OK);
    t = apply(arr_add, a, a);
    u = apply(arr_add, t, a);
  }).join();
  EXPECT_EQ(arr_fuse_end(), ARR_E_ARGUMENT) << "another thread's scope is none of ours";
  release({a, t});
  EXPECT_EQ(uniform(u), 12);
  release({u});
}

// Never closed: nothing is lost or comes too late when the process ends.
TEST(FuseLeftOpen, AtExit) {
  arr_array a = full(4);
  ASSERT_EQ(arr_fuse_begin(ARR_FUSE_SMALL), ARR_OK);
  arr_array t = apply(arr_add, a, a);
  release({a});
  EXPECT_NE(t, nullptr);
}

}  // namespace
