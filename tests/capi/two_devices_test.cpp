// SPDX-License-Identifier: MIT
// Behaviour that only shows where a machine has several GPUs, over a fake CUDA with two whose work runs as
// late as it may.
#include <dlfcn.h>

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

int64_t calls(const char* function) {
  void* fake = dlopen(ARR_FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<int64_t (*)(const char*)>(dlsym(fake, "arr_fake_cuda_calls"))(function);
}

class Copies : public TwoDevices {
 protected:
  static constexpr int64_t shape[2] = {30, 7};
  static void fill(arr_array a, double x, arr_stream s) {
    arr_value v{};
    arr_value_f64(&v, x);
    ARR_DOES(arr_fill(a, &v, s));
  }
  static void expect_all(arr_array a, double x, arr_stream s) {
    std::vector<double> got(static_cast<size_t>(shape[0] * shape[1]));
    ARR_DOES(arr_get(a, ARR_ORDER_C, got.data(), shape[0] * shape[1] * 8, s));
    EXPECT_EQ(got, std::vector<double>(got.size(), x));
  }
  arr_array made(int device, double x, arr_stream s) {
    arr_array a = nullptr;
    EXPECT_EQ(arr_create(ARR_FLOAT64, 2, shape, ARR_ORDER_C, &devices[device], s, &a), ARR_OK);
    fill(a, x, s);
    return a;
  }
};

// No work runs until something waits for its stream: a copy that does not wait for the source's work reads
// what was there before, and later work that does not wait for the copy changes what it reads.
TEST_F(Copies, GoStraightAcrossInTheOrderOfBothStreams) {
  for (const int from : {0, 1}) {
    for (arr_stream given : {static_cast<arr_stream>(nullptr), streams[0], streams[1]}) {
      arr_array a = made(from, 1, streams[from]), b = nullptr;
      const int64_t down = calls("cuMemcpyDtoHAsync_v2"), up = calls("cuMemcpyHtoDAsync_v2"),
                    waits = calls("cuStreamSynchronize"), across = calls("cuMemcpyPeerAsync");
      ARR_DOES(arr_to_device(a, &devices[1 - from], given, &b));
      EXPECT_EQ(calls("cuMemcpyDtoHAsync_v2"), down);
      EXPECT_EQ(calls("cuMemcpyHtoDAsync_v2"), up);
      EXPECT_EQ(calls("cuStreamSynchronize"), waits);
      EXPECT_EQ(calls("cuMemcpyPeerAsync"), across + 1);
      fill(a, 2, streams[from]);
      expect_all(a, 2, streams[from]);
      expect_all(b, 1, streams[1 - from]);
      ARR_DOES(arr_release(a));
      ARR_DOES(arr_release(b));
    }
  }
}

TEST_F(Copies, KeepTheSourceUntilTheyHaveRead) {
  arr_array a = made(0, 1, streams[0]), b = nullptr;
  ARR_DOES(arr_to_device(a, &devices[1], streams[1], &b));
  ARR_DOES(arr_release(a));
  arr_array next = made(0, 3, streams[0]);  // in the memory of a
  expect_all(next, 3, streams[0]);
  expect_all(b, 1, streams[1]);
  ARR_DOES(arr_release(next));
  ARR_DOES(arr_release(b));
}

TEST_F(Copies, OfViewsAndIntoViews) {
  std::vector<double> x(static_cast<size_t>(shape[0] * shape[1])), got(x.size());
  std::iota(x.begin(), x.end(), 0.0);
  const int64_t bytes = shape[0] * shape[1] * 8;
  const int32_t axis = 0;
  arr_array a = made(0, 0, streams[0]), flipped = nullptr, b = nullptr, c = made(1, 0, streams[1]);
  ARR_DOES(arr_set(a, ARR_ORDER_C, x.data(), bytes, streams[0]));
  ARR_DOES(arr_flip(a, 1, &axis, &flipped));
  ARR_DOES(arr_to_device(flipped, &devices[1], nullptr, &b));
  ARR_DOES(arr_assign(c, flipped, nullptr));
  for (arr_array z : {b, c}) {
    ARR_DOES(arr_get(z, ARR_ORDER_C, got.data(), bytes, nullptr));
    for (size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i], x[x.size() - 7 - i / 7 * 7 + i % 7]) << i;
    }
  }
  for (arr_array z : {a, flipped, b, c}) ARR_DOES(arr_release(z));
}

TEST_F(Copies, LetTheOneUseTheOthersMemoryUnlessThatIsDecided) {
  const int64_t before = calls("cuCtxEnablePeerAccess");
  ARR_DOES(arr_device_peer(&devices[0], &devices[1], false));
  for (const int from : {0, 0, 1, 1}) {
    arr_array a = made(from, 1, streams[from]), b = nullptr;
    ARR_DOES(arr_to_device(a, &devices[1 - from], nullptr, &b));
    ARR_DOES(arr_release(a));
    ARR_DOES(arr_release(b));
    EXPECT_EQ(calls("cuCtxEnablePeerAccess"), before + 1) << "from " << from;  // by device 1 alone
  }
}

TEST_F(Copies, AreOfNoGraph) {
  arr_array a = made(0, 1, nullptr), b = nullptr;
  arr_graph graph = nullptr;
  for (arr_stream s : streams) {
    ARR_DOES(arr_graph_begin(s));
    EXPECT_EQ(arr_to_device(a, &devices[1], s, &b), ARR_E_UNSUPPORTED);
    EXPECT_NE(std::string(arr_last_error()).find("of one device"), std::string::npos) << arr_last_error();
    ARR_DOES(arr_graph_end(s, &graph));
    ARR_DOES(arr_graph_release(graph));
  }
  ARR_DOES(arr_to_device(a, &devices[1], nullptr, &b));
  expect_all(b, 1, nullptr);
  ARR_DOES(arr_release(a));
  ARR_DOES(arr_release(b));
}

}  // namespace
