// SPDX-License-Identifier: MIT
// The memory pool over the fake: reuse on one stream and between streams, limits, trimming, exhaustion.
#include <chrono>
#include <thread>

#include "cuda/pool.h"
#include "support.h"

namespace arr::cuda_test {
namespace {

MemoryStats stats() {
  MemoryStats s;
  BackendError e;
  EXPECT_EQ(cuda().memory_stats(0, &s, &e), ARR_OK) << e.text;
  return s;
}
void* take(int64_t bytes, void* stream = nullptr) {
  void* p = nullptr;
  BackendError e;
  EXPECT_EQ(cuda().allocate(0, bytes, stream, &p, &e), ARR_OK) << e.text;
  return p;
}
void give(void* p, int64_t bytes, void* stream = nullptr) {
  BackendError e;
  EXPECT_EQ(cuda().release(0, p, bytes, stream, &e), ARR_OK) << e.text;
}

class PoolTest : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    ARR_WORKS(cuda().memory_trim(0, &error));
    held_ = arr_fake_cuda_live("memory");  // what lives as long as the device
    for (void*& s : streams_) ARR_WORKS(cuda().stream_create(0, 0, &s, &error));
  }
  void TearDown() override {
    arr_fake_cuda_reset();
    BackendError e;
    for (void* s : streams_) EXPECT_EQ(cuda().stream_destroy(0, s, &e), ARR_OK) << e.text;
    EXPECT_EQ(cuda().memory_limit(0, 0, &e), ARR_OK);
    EXPECT_EQ(cuda().memory_trim(0, &e), ARR_OK) << e.text;
    EXPECT_EQ(stats().in_use, 0);
    EXPECT_EQ(stats().cached, 0);
    EXPECT_EQ(arr_fake_cuda_live("memory"), held_);
  }
  void* streams_[2] = {};
  int64_t held_ = 0;
};

TEST(SizeClass, HoldsWhatItIsFor) {
  using cuda::SizeClass;
  for (int32_t c = 1; c < SizeClass::count; ++c) {
    ASSERT_EQ(SizeClass::of(SizeClass::bytes(c)), c);
    ASSERT_EQ(SizeClass::of(SizeClass::bytes(c - 1) + 1), c);
    ASSERT_EQ(SizeClass::bytes(c) % 256, 0);
    if (c > 8) {
      ASSERT_LE(SizeClass::bytes(c) * 8, SizeClass::bytes(c - 1) * 9 + 8);
    }
  }
}

TEST_F(PoolTest, ReusesOnTheSameStreamWithoutTheDriver) {
  void* p = take(1000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 256, 0U);
  give(p, 1000);
  int64_t calls = arr_fake_cuda_calls("cuMemAlloc_v2"), events = arr_fake_cuda_calls("cuEventRecord");
  for (int i = 0; i < 100; ++i) {
    void* q = take(990 + i % 10);
    EXPECT_EQ(q, p);
    give(q, 990 + i % 10);
  }
  EXPECT_EQ(arr_fake_cuda_calls("cuMemAlloc_v2"), calls);
  EXPECT_EQ(arr_fake_cuda_calls("cuEventRecord"), events);
}

TEST_F(PoolTest, AnotherStreamGetsABlockOnlyBehindAnEvent) {
  void* p = take(5000, streams_[0]);
  arr_fake_cuda_set("defer", 1);
  // Work of the first stream that still needs the block.
  BackendError e;
  ASSERT_EQ(cuda().copy_on_device(0, p, static_cast<char*>(p) + 2500, 2500, streams_[0], &e), ARR_OK)
      << e.text;
  give(p, 5000, streams_[0]);
  void* q = take(5000, streams_[1]);
  EXPECT_NE(q, p);
  ASSERT_EQ(cuda().stream_sync(0, streams_[0], &e), ARR_OK);
  ASSERT_EQ(cuda().device_sync(0, &e), ARR_OK);
  void* r = take(5000, streams_[1]);
  EXPECT_EQ(r, p);
  give(q, 5000, streams_[1]);
  give(r, 5000, streams_[1]);
}

TEST_F(PoolTest, TheOldStreamMayTakeItsBlockBackAtOnce) {
  void* p = take(5000, streams_[0]);
  arr_fake_cuda_set("defer", 1);
  BackendError e;
  ASSERT_EQ(cuda().copy_on_device(0, p, static_cast<char*>(p) + 2500, 2500, streams_[0], &e), ARR_OK)
      << e.text;
  give(p, 5000, streams_[0]);
  void* q = take(5000, streams_[1]);
  EXPECT_NE(q, p);
  EXPECT_EQ(take(5000, streams_[0]), p);
  give(p, 5000, streams_[0]);
  give(q, 5000, streams_[1]);
}

TEST_F(PoolTest, CountsAndLimits) {
  MemoryStats before = stats();
  void* p = take(int64_t{1} << 20);
  EXPECT_EQ(stats().in_use, before.in_use + (1 << 20));
  EXPECT_GE(stats().peak, stats().in_use);
  ARR_WORKS(cuda().memory_limit(0, 3 << 20, &error));
  void* q = nullptr;
  BackendError e;
  EXPECT_EQ(cuda().allocate(0, 4 << 20, nullptr, &q, &e), ARR_E_MEMORY);
  EXPECT_NE(e.text.find("the limit is 3145728"), std::string::npos) << e.text;
  EXPECT_EQ(q, nullptr);
  EXPECT_EQ(stats().in_use, before.in_use + (1 << 20));
  give(p, 1 << 20);
  EXPECT_EQ(stats().in_use, before.in_use);
  EXPECT_EQ(stats().cached, 1 << 20);
  ARR_WORKS(cuda().memory_trim(0, &error));
  EXPECT_EQ(stats().cached, 0);
  EXPECT_EQ(cuda().memory_limit(0, -1, &e), ARR_E_ARGUMENT);
  EXPECT_EQ(cuda().allocate(0, -1, nullptr, &q, &e), ARR_E_MEMORY);
  EXPECT_EQ(cuda().allocate(0, INT64_MAX, nullptr, &q, &e), ARR_E_MEMORY);
}

TEST_F(PoolTest, ExhaustionGivesBackWhatIsCachedAndTriesAgain) {
  arr_fake_cuda_set("memory", 10 << 20);
  void* p = take(6 << 20);
  give(p, 6 << 20);
  void* q = take(7 << 20);  // fits only when the first is given back
  EXPECT_EQ(stats().cached, 0);
  BackendError e;
  void* r = nullptr;
  EXPECT_EQ(cuda().allocate(0, 8 << 20, nullptr, &r, &e), ARR_E_MEMORY);
  EXPECT_NE(e.text.find("8388608 bytes wanted"), std::string::npos) << e.text;
  give(q, 7 << 20);
}

TEST_F(PoolTest, ADestroyedStreamLeavesItsBlocks) {
  void* extra = nullptr;
  ARR_WORKS(cuda().stream_create(0, 0, &extra, &error));
  void* p = take(70000, extra);
  give(p, 70000, extra);
  ARR_WORKS(cuda().stream_destroy(0, extra, &error));
  EXPECT_EQ(take(70000, streams_[0]), p);
  give(p, 70000, streams_[0]);
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
