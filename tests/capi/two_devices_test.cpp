// SPDX-License-Identifier: MIT
// What only shows where a machine has several GPUs, over a fake CUDA with two whose work runs as late as it
// may.
#include <atomic>
#include <numeric>
#include <vector>

#include "support.h"

namespace {

class TwoDevices : public testing::Test {
 protected:
  void SetUp() override {
    int32_t count = 0;
    ARR_DOES(arr_device_count(ARR_CUDA, &count));
    if (count < 2) GTEST_SKIP() << "needs the fake CUDA with two devices";
    for (int i : {0, 1}) ARR_DOES(arr_stream_create(&devices[i], 0, &streams[i]));
  }
  void TearDown() override {
    for (arr_stream s : streams) arr_stream_release(s);
  }
  const arr_device devices[2] = {{ARR_CUDA, 0}, {ARR_CUDA, 1}};
  arr_stream streams[2] = {};
};

struct Steps {
  std::atomic<int> done = 0;
  int seen = -1;
};
void step(void* ctx) { ++static_cast<Steps*>(ctx)->done; }
void look(void* ctx) { static_cast<Steps*>(ctx)->seen = static_cast<Steps*>(ctx)->done; }

TEST_F(TwoDevices, AStreamWaitsForOneOfTheOther) {
  for (const int waits : {0, 1}) {
    Steps steps;
    ARR_DOES(arr_stream_host_function(streams[1 - waits], step, &steps));
    ARR_DOES(arr_stream_wait_stream(streams[waits], streams[1 - waits]));
    ARR_DOES(arr_stream_host_function(streams[waits], look, &steps));
    ARR_DOES(arr_stream_sync(streams[waits]));
    EXPECT_EQ(steps.seen, 1);
  }
}

TEST_F(TwoDevices, AGraphIsOfOneDevice) {
  arr_graph graph = nullptr;
  ARR_DOES(arr_graph_begin(streams[0]));
  EXPECT_EQ(arr_stream_wait_stream(streams[1], streams[0]), ARR_E_UNSUPPORTED);
  EXPECT_NE(std::string(arr_last_error()).find("of one device"), std::string::npos) << arr_last_error();
  EXPECT_EQ(arr_stream_wait_stream(streams[0], streams[1]), ARR_E_UNSUPPORTED);
  ARR_DOES(arr_graph_end(streams[0], &graph));
  ARR_DOES(arr_graph_release(graph));
}

TEST_F(TwoDevices, AddressesTellTheirDevice) {
  const int64_t n = 100;
  for (const arr_device& d : devices) {
    for (const int32_t kind : {ARR_ALLOCATOR_POOL, ARR_ALLOCATOR_MANAGED}) {
      ARR_DOES(arr_memory_set_allocator(&d, kind));
      arr_array a = nullptr;
      void* data = nullptr;
      ARR_DOES(arr_zeros(ARR_FLOAT64, 1, &n, ARR_ORDER_C, &d, nullptr, &a));
      ARR_DOES(arr_data(a, &data));
      arr_device found{};
      ARR_DOES(arr_memory_device(static_cast<double*>(data) + n - 1, &found));
      EXPECT_EQ(found.type, ARR_CUDA);
      EXPECT_EQ(found.index, d.index) << "allocator " << kind;
      ARR_DOES(arr_release(a));
      ARR_DOES(arr_memory_set_allocator(&d, ARR_ALLOCATOR_POOL));
    }
  }
  arr_array pinned = nullptr;
  void* locked = nullptr;
  ARR_DOES(arr_pinned_create(ARR_FLOAT64, 1, &n, ARR_ORDER_C, 0, &pinned));
  ARR_DOES(arr_data(pinned, &locked));
  double own = 0;
  for (const void* p : {static_cast<const void*>(&own), static_cast<const void*>(locked)}) {
    arr_device found{ARR_CUDA, 1};
    ARR_DOES(arr_memory_device(p, &found));
    EXPECT_EQ(found.type, ARR_HOST);
    EXPECT_EQ(found.index, 0);
  }
  ARR_DOES(arr_release(pinned));
  arr_device untouched{ARR_CUDA, 1};
  EXPECT_EQ(arr_memory_device(nullptr, &untouched), ARR_E_ARGUMENT);
  EXPECT_EQ(untouched.type, ARR_CUDA);
}

arr_fft_cache_stats plans_of(const arr_device& d) {
  arr_fft_cache_stats stats{};
  stats.struct_size = sizeof(stats);
  EXPECT_EQ(arr_fft_cache_info(&d, &stats), ARR_OK) << arr_last_error();
  return stats;
}

TEST_F(TwoDevices, PlansOfTransformsAreEachDevices) {
  const int64_t n = 60;
  std::vector<double> x(static_cast<size_t>(n)), got[2];
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * i % 17);
  for (const arr_device& d : devices) ARR_DOES(arr_fft_cache_clear(&d));
  const auto transform = [&](int i) {
    arr_array a = nullptr, z = nullptr;
    ARR_DOES(arr_zeros(ARR_FLOAT64, 1, &n, ARR_ORDER_C, &devices[i], streams[i], &a));
    ARR_DOES(arr_set(a, ARR_ORDER_C, x.data(), n * 8, streams[i]));
    ARR_DOES(arr_rfft(a, -1, -1, ARR_FFT_BACKWARD, streams[i], &z));
    got[i].resize(static_cast<size_t>(n + 2));
    ARR_DOES(arr_get(z, ARR_ORDER_C, got[i].data(), (n + 2) * 8, streams[i]));
    ARR_DOES(arr_release(z));
    ARR_DOES(arr_release(a));
  };
  const int64_t misses = plans_of(devices[1]).misses;
  transform(0);
  const arr_fft_cache_stats first = plans_of(devices[0]);
  EXPECT_GT(first.plans, 0);
  EXPECT_EQ(plans_of(devices[1]).plans, 0);
  EXPECT_EQ(plans_of(devices[1]).misses, misses);
  transform(1);
  EXPECT_GT(plans_of(devices[1]).misses, misses);
  EXPECT_EQ(plans_of(devices[1]).plans, first.plans);
  EXPECT_EQ(plans_of(devices[0]).misses, first.misses);
  EXPECT_EQ(got[0], got[1]);
  EXPECT_NEAR(got[1][0], std::accumulate(x.begin(), x.end(), 0.0), 1e-12);
  ARR_DOES(arr_fft_cache_limit(&devices[1], 0, -1));
  EXPECT_EQ(plans_of(devices[1]).plans, 0);
  EXPECT_EQ(plans_of(devices[0]).plans, first.plans);
  EXPECT_EQ(plans_of(devices[0]).max_plans, first.max_plans);
  transform(0);
  EXPECT_EQ(plans_of(devices[0]).misses, first.misses);
  EXPECT_GT(plans_of(devices[0]).hits, first.hits);
  ARR_DOES(arr_fft_cache_clear(&devices[0]));
  EXPECT_EQ(plans_of(devices[0]).plans, 0);
  ARR_DOES(arr_fft_cache_limit(&devices[1], first.max_plans, first.max_bytes));
}

}  // namespace
