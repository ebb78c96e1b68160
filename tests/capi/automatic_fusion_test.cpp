// SPDX-License-Identifier: MIT
// Operations with large results, which are recorded without a scope.
#include <arr/arr.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "uniform_arrays.h"

namespace {

using arr_test::apply;
using arr_test::release;
using arr_test::stats;

constexpr int64_t large = int64_t{1} << 18, bytes = large * 4, least = (int64_t{1} << 18) / 4;

arr_array full(double x, int64_t n = large) { return arr_test::full(x, n); }
float uniform(arr_array a, int64_t n = large) { return arr_test::uniform(a, n); }

int64_t in_use() {
  arr_memory_stats s{};
  s.struct_size = sizeof s;
  EXPECT_EQ(arr_memory_info(nullptr, &s), ARR_OK);
  return s.in_use;
}

class AutomaticFusion : public testing::Test {
 protected:
  void SetUp() override {
    EXPECT_EQ(arr_fuse_automatic(&devices), ARR_OK);
    if (std::getenv("ARR_HOST_ASYNC") != nullptr)
      GTEST_SKIP() << "nothing is recorded without a scope on a host that runs work late";
    ASSERT_EQ(arr_fuse_set_automatic(ARR_FUSE_ON_HOST), ARR_OK);
    arr_array a = full(1), b = apply(arr_add, a, a);  // what the thread keeps is there now
    uniform(b);
    release({a, b});
    handles = arr_live_handles();
    objects = arr_live_objects();
  }
  void TearDown() override {
    EXPECT_EQ(arr_fuse_set_automatic(devices), ARR_OK);
    if (IsSkipped()) return;
    EXPECT_EQ(arr_live_handles(), handles);
    EXPECT_EQ(arr_live_objects(), objects);
  }
  int32_t devices = 0;
  int64_t handles = 0, objects = 0;
};

TEST_F(AutomaticFusion, AChainIsOneProgram) {
  arr_array a = full(3), b = full(2);
  const arr_fuse_stats before = stats();
  arr_array t = apply(arr_multiply, a, b), u = apply(arr_add, t, a), r = apply(arr_subtract, u, b);
  release({t, u});
  EXPECT_EQ(stats().recorded, before.recorded + 3);
  EXPECT_EQ(stats().programs, before.programs);
  EXPECT_EQ(uniform(r), 7) << "a copy to the program's memory computes it there";
  EXPECT_EQ(arr_array_sync(r), ARR_OK);
  EXPECT_EQ(stats().programs, before.programs + 1);
  EXPECT_EQ(uniform(r), 7);
  EXPECT_EQ(stats().depth, 0);
  release({a, b, r});
}

TEST_F(AutomaticFusion, ResultsBelowTheLimitRunAtOnce) {
  for (const int64_t n : {least - 1, least}) {
    arr_array a = full(3, n);
    const int64_t before = stats().recorded;
    arr_array r = apply(arr_add, a, a);
    EXPECT_EQ(stats().recorded - before, n == least ? 1 : 0) << n;
    EXPECT_EQ(uniform(r, n), 6);
    release({a, r});
  }
}

TEST_F(AutomaticFusion, IsSwitchedOff) {
  int32_t is = -1;
  arr_array a = full(3), pending = apply(arr_add, a, a);
  const arr_fuse_stats before = stats();
  ASSERT_EQ(arr_fuse_set_automatic(ARR_FUSE_NOWHERE), ARR_OK);
  EXPECT_EQ(stats().programs, before.programs + 1) << "what was recorded before has run";
  EXPECT_EQ(arr_fuse_automatic(&is), ARR_OK);
  EXPECT_EQ(is, ARR_FUSE_NOWHERE);
  arr_array r = apply(arr_add, a, a);
  EXPECT_EQ(stats().recorded, before.recorded);
  for (const int32_t wrong : {-1, 3}) {
    EXPECT_EQ(arr_fuse_set_automatic(wrong), ARR_E_ARGUMENT);
    EXPECT_EQ(std::string(arr_last_error()),
              "arr_fuse_set_automatic: argument devices: " + std::to_string(wrong) +
                  ", expected ARR_FUSE_NOWHERE, ARR_FUSE_ON_HOST or ARR_FUSE_EVERYWHERE");
  }
  EXPECT_EQ(arr_fuse_automatic(nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(uniform(pending), 6);
  EXPECT_EQ(uniform(r), 6);
  release({a, pending, r});
}

TEST_F(AutomaticFusion, ErrorsOfArgumentsAreOfTheCall) {
  arr_array a = full(3), b = full(2, large - 1), r = nullptr;
  EXPECT_EQ(arr_add(a, b, nullptr, &r), ARR_E_SHAPE);
  release({a, b});
}

// A sum of chunks that are released one after the other keeps as much memory as without recording.
TEST_F(AutomaticFusion, ReleasedOperandsAreNotKept) {
  const int64_t before = in_use();
  arr_array sum = full(0);
  for (int i = 1; i <= 40; ++i) {
    arr_array chunk = full(i), next = apply(arr_add, sum, chunk);
    release({sum, chunk});
    sum = next;
    EXPECT_LE(in_use() - before, 4 * bytes) << i;
  }
  EXPECT_EQ(uniform(sum), 820);
  release({sum});
}

// Also of arrays to which only views refer.
TEST_F(AutomaticFusion, ReleasedViewsAreNotKept) {
  const int64_t before = in_use(), n = large - 1;
  std::vector<arr_array> results;
  for (int i = 0; i < 8; ++i) {
    arr_array a = full(i + 1), head = nullptr, tail = nullptr;
    const int64_t first = 0, second = 1, step = 1;
    ASSERT_EQ(arr_slice(a, 1, &first, &n, &step, &head), ARR_OK) << arr_last_error();
    ASSERT_EQ(arr_slice(a, 1, &second, &large, &step, &tail), ARR_OK) << arr_last_error();
    results.push_back(apply(arr_add, head, tail));
    release({a, head, tail});
    EXPECT_LE(in_use() - before, (i + 2) * (bytes + 4096)) << i;
  }
  for (size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(uniform(results[i], n), 2 * (static_cast<float>(i) + 1));
  for (arr_array r : results) release({r});
}

TEST_F(AutomaticFusion, LoopsRunNowAndThen) {
  arr_array one = full(1), x = full(0);
  const int64_t before = stats().programs;
  for (int i = 0; i < 200; ++i) {
    arr_array next = apply(arr_add, x, one);
    release({x});
    x = next;
  }
  EXPECT_GE(stats().programs - before, 3) << "after 64 operations at the latest";
  EXPECT_EQ(uniform(x), 200);
  release({one, x});
}

TEST_F(AutomaticFusion, OperandsThatChange) {
  arr_array a = full(3), b = full(2), r = apply(arr_add, a, b), s = apply(arr_multiply, r, b);
  EXPECT_EQ(arr_add_into(a, a, b, nullptr), ARR_OK);
  EXPECT_EQ(arr_add_into(r, r, r, nullptr), ARR_OK);
  EXPECT_EQ(uniform(a), 5);
  EXPECT_EQ(uniform(r), 10);
  EXPECT_EQ(uniform(s), 10);
  release({a, b, r, s});
}

TEST_F(AutomaticFusion, MemoryThatOthersCanWriteIsReadAtOnce) {
  std::vector<float> mine(large, 3);
  arr_array wrapped = nullptr, a = full(2);
  ASSERT_EQ(arr_wrap(mine.data(), ARR_FLOAT32, 1, &large, nullptr, nullptr, nullptr, nullptr, &wrapped),
            ARR_OK)
      << arr_last_error();
  const int64_t before = stats().recorded;
  arr_array r = apply(arr_add, wrapped, a);
  std::fill(mine.begin(), mine.end(), 7.0F);
  EXPECT_EQ(stats().recorded, before);
  EXPECT_EQ(uniform(r), 5);
  void* data = nullptr;
  ASSERT_EQ(arr_data(a, &data), ARR_OK);
  arr_array s = apply(arr_add, a, a);
  std::fill_n(static_cast<float*>(data), large, 9.0F);
  EXPECT_EQ(stats().recorded, before);
  EXPECT_EQ(uniform(s), 4);
  release({wrapped, a, r, s});
}

// The values of arrays that a thread has recorded are there for others, also after it has ended.
TEST_F(AutomaticFusion, ResultsOfAThreadThatEnded) {
  arr_array a = full(4), t = nullptr, u = nullptr;
  std::thread([&] {
    t = apply(arr_add, a, a);
    u = apply(arr_add, t, a);
  }).join();
  release({a, t});
  EXPECT_EQ(uniform(u), 12);
  release({u});
}

TEST_F(AutomaticFusion, ThreadsReadEachOthersResults) {
  constexpr int count = 4, rounds = 20;
  arr_array a = full(2);
  std::array<arr_array, count> given{};
  for (int i = 0; i < rounds; ++i) {
    std::vector<std::thread> threads;
    for (size_t k = 0; k < count; ++k) given[k] = apply(arr_multiply, a, a);
    for (size_t k = 0; k < count; ++k) {
      threads.emplace_back([&, k] {
        arr_array sum = apply(arr_add, given[k], given[(k + 1) % count]), more = apply(arr_add, sum, a);
        release({sum});
        EXPECT_EQ(uniform(more), 10);
        release({more});
      });
    }
    for (std::thread& t : threads) t.join();
    for (arr_array g : given) release({g});
  }
  release({a});
}

TEST_F(AutomaticFusion, AChildComputesResultsOfItsParent) {
  arr_array a = full(4), r = apply(arr_add, a, a);
  const pid_t child = fork();
  if (child == 0) _exit(uniform(r) == 8 ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(uniform(r), 8);
  release({a, r});
}

TEST_F(AutomaticFusion, SynchronizationRunsIt) {
  arr_array a = full(4);
  const std::function<arr_status(arr_array)> waits[] = {
      [](arr_array) { return arr_device_sync(nullptr); },
      [](arr_array x) { return arr_array_sync(x); },
      [](arr_array) { return arr_fuse_flush(); },
  };
  for (const auto& wait : waits) {
    arr_array r = apply(arr_add, a, a);
    const int64_t before = stats().programs;
    EXPECT_EQ(wait(r), ARR_OK) << arr_last_error();
    EXPECT_EQ(stats().programs, before + 1);
    release({r});
  }
  release({a});
}

TEST_F(AutomaticFusion, CapturedWorkReadsAndGivesFinishedValues) {
  arr_stream stream = nullptr;
  ASSERT_EQ(arr_stream_create(nullptr, 0, &stream), ARR_OK);
  arr_array a = full(2), sum = apply(arr_add, a, a), product = nullptr, more = nullptr;
  arr_graph graph = nullptr;
  ASSERT_EQ(arr_graph_begin(stream), ARR_OK) << arr_last_error();
  EXPECT_EQ(arr_multiply(sum, a, stream, &product), ARR_OK) << arr_last_error();
  EXPECT_EQ(arr_add(product, a, stream, &more), ARR_OK) << arr_last_error();
  ASSERT_EQ(arr_graph_end(stream, &graph), ARR_OK) << arr_last_error();
  for (const float x : {2.0F, 3.0F}) {  // sum keeps its elements
    arr_array changed = full(x);
    EXPECT_EQ(arr_assign(a, changed, nullptr), ARR_OK);
    EXPECT_EQ(arr_graph_launch(graph, stream), ARR_OK) << arr_last_error();
    EXPECT_EQ(arr_stream_sync(stream), ARR_OK);
    arr_array twice = apply(arr_add, more, more);  // recorded again
    EXPECT_EQ(uniform(twice), 2 * (4 * x + x));
    release({changed, twice});
  }
  EXPECT_EQ(arr_graph_release(graph), ARR_OK);
  release({a, sum, product, more});
  EXPECT_EQ(arr_stream_release(stream), ARR_OK);
}

// Never read: nothing is lost or comes too late when the process ends.
TEST(AutomaticFusionAtExit, WithPendingResults) {
  arr_array a = full(4), t = apply(arr_add, a, a);
  release({a});
  EXPECT_NE(t, nullptr);
}

}  // namespace
