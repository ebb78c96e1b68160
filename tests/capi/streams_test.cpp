// SPDX-License-Identifier: MIT
// The order of work across streams, with streams that are slow: what one stream makes another reads only when
// it is there, whoever forgets to wait. On the host (also with ARR_HOST_ASYNC=1) and over the fake CUDA.
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <thread>

#include "support.h"

namespace {

class Streams : public arr_test::OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (IsSkipped()) return;
    ARR_DOES(arr_stream_create(&device, 0, &one));
    ARR_DOES(arr_stream_create(&device, 0, &two));
  }
  void TearDown() override {
    arr_stream_release(one);
    arr_stream_release(two);
  }
  static void slow(void*) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }
  // Delays the next work of a stream.
  static void delay(arr_stream s) { ARR_DOES(arr_stream_host_function(s, slow, nullptr)); }
  [[nodiscard]] arr_array full(double value, arr_stream s) const {
    const int64_t shape = 1000;
    arr_value v{};
    arr_value_f64(&v, value);
    arr_array a = nullptr;
    EXPECT_EQ(arr_full(ARR_FLOAT64, 1, &shape, ARR_ORDER_C, &v, &device, s, &a), ARR_OK) << arr_last_error();
    return a;
  }
  static void expect_all(arr_array a, double value, arr_stream s) {
    std::vector<double> v(1000);
    ARR_DOES(arr_get(a, ARR_ORDER_C, v.data(), 8000, s));
    EXPECT_EQ(v, std::vector<double>(1000, value));
  }
  arr_stream one = nullptr, two = nullptr;
};

// CUDA's default streams have no object of their own: 0 and 1 are the legacy one, 2 that of each thread.
TEST_P(Streams, CudasDefaultStreamsByTheirNames) {
  if (host()) GTEST_SKIP() << "of CUDA";
  for (const uintptr_t name : {uintptr_t{0}, uintptr_t{1}, uintptr_t{2}}) {
    arr_stream s = nullptr;
    void* native = &s;
    ARR_DOES(
        arr_stream_wrap(&device, reinterpret_cast<void*>(name), &s));  // NOLINT(performance-no-int-to-ptr)
    ARR_DOES(arr_stream_native(s, &native));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(native), name);
    delay(one);
    arr_array a = full(3, one), b = nullptr;
    ARR_DOES(arr_add(a, a, s, &b));
    expect_all(b, 6, s);
    for (arr_array x : {a, b}) ARR_DOES(arr_release(x));
    ARR_DOES(arr_stream_release(s));
  }
}

TEST_P(Streams, ReadersWaitForTheWriter) {
  for (int round = 0; round < 3; ++round) {
    delay(one);
    arr_array a = full(round, one), b = nullptr;
    ARR_DOES(arr_add(a, a, two, &b));
    expect_all(b, 2 * round, nullptr);
    arr_release(a);
    arr_release(b);
  }
}

TEST_P(Streams, AWriterWaitsForReaders) {
  arr_array a = full(1, one), b = nullptr;
  delay(two);
  ARR_DOES(arr_add(a, a, two, &b));
  arr_value v{};
  arr_value_f64(&v, 7);
  ARR_DOES(arr_fill(a, &v, one));
  expect_all(b, 2, two);
  expect_all(a, 7, one);
  arr_release(a);
  arr_release(b);
}

TEST_P(Streams, MemoryIsReusedBehindItsLastUse) {
  for (int round = 0; round < 5; ++round) {
    arr_array a = full(3, one), b = nullptr;
    delay(two);
    ARR_DOES(arr_multiply(a, a, two, &b));
    arr_release(a);  // still read in the other stream
    arr_array c = full(-1, one);
    expect_all(b, 9, two);
    expect_all(c, -1, one);
    arr_release(b);
    arr_release(c);
  }
}

TEST_P(Streams, ReleasedStreamsFinishTheirWork) {
  arr_stream gone = nullptr;
  ARR_DOES(arr_stream_create(&device, 0, &gone));
  delay(gone);
  arr_array a = full(5, gone);
  arr_stream_release(gone);
  expect_all(a, 5, one);
  arr_release(a);
}

TEST_P(Streams, TheDeviceIsDoneWhenReleasedStreamsAre) {
  std::atomic<bool> done = false;
  arr_stream gone = nullptr;
  ARR_DOES(arr_stream_create(&device, 0, &gone));
  delay(gone);
  ARR_DOES(arr_stream_host_function(
      gone, [](void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); }, &done));
  arr_stream_release(gone);
  ARR_DOES(arr_device_sync(&device));
  EXPECT_TRUE(done);
  while (!done) std::this_thread::yield();  // it is this function's
}

TEST_P(Streams, EventsAndQueriesTellWhereAStreamIs) {
  arr_event before = nullptr, after = nullptr;
  ARR_DOES(arr_event_create(&device, ARR_EVENT_TIMING, &before));
  ARR_DOES(arr_event_create(&device, ARR_EVENT_TIMING, &after));
  ARR_DOES(arr_event_record(before, one));
  delay(one);
  ARR_DOES(arr_event_record(after, one));
  ARR_DOES(arr_stream_wait_event(two, after));
  arr_array a = full(2, two);
  ARR_DOES(arr_event_sync(after));
  double ms = 0;
  ARR_DOES(arr_event_elapsed(before, after, &ms));
  EXPECT_GE(ms, 25);
  bool done = false;
  ARR_DOES(arr_event_query(after, &done));
  EXPECT_TRUE(done);
  ARR_DOES(arr_stream_sync(one));
  ARR_DOES(arr_stream_query(one, &done));
  EXPECT_TRUE(done);
  expect_all(a, 2, two);
  arr_release(a);
  arr_event_release(before);
  arr_event_release(after);
}

// Order without arrays, by which streams find it themselves.
struct Steps {
  std::atomic<int> done = 0;
  int seen = -1;
};
void step(void* ctx) { ++static_cast<Steps*>(ctx)->done; }
void look(void* ctx) { static_cast<Steps*>(ctx)->seen = static_cast<Steps*>(ctx)->done; }

TEST_P(Streams, AStreamWaitsForAnother) {
  void* fake = host() ? nullptr : dlopen(ARR_FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD);
  const auto late = [&](int64_t on) {  // its streams run only when something waits for them, the newest first
    if (fake != nullptr)
      reinterpret_cast<void (*)(const char*, int64_t)>(dlsym(fake, "arr_fake_cuda_set"))("defer", on);
  };
  late(1);
  const auto seen_by = [&](arr_stream waits, arr_stream other) {
    Steps steps;
    delay(other);
    EXPECT_EQ(arr_stream_host_function(other, step, &steps), ARR_OK);
    EXPECT_EQ(arr_stream_wait_stream(waits, other), ARR_OK) << arr_last_error();
    EXPECT_EQ(arr_stream_host_function(waits, look, &steps), ARR_OK);
    EXPECT_EQ(arr_device_sync(&device), ARR_OK);
    return steps.seen;
  };
  EXPECT_EQ(seen_by(two, one), 1);
  EXPECT_EQ(seen_by(one, two), 1);
  EXPECT_EQ(seen_by(one, one), 1);  // no wait
  late(0);
  if (fake != nullptr) dlclose(fake);
}

TEST_P(Streams, WaitsTakeTheDefaultStream) {
  ARR_DOES(arr_stream_wait_stream(nullptr, one));
  ARR_DOES(arr_stream_wait_stream(one, nullptr));
  ARR_DOES(arr_stream_wait_stream(nullptr, nullptr));
  const auto gone = one;
  ARR_DOES(arr_stream_release(one));
  one = nullptr;
  EXPECT_EQ(arr_stream_wait_stream(gone, two), ARR_E_HANDLE);
  EXPECT_EQ(arr_stream_wait_stream(two, gone), ARR_E_HANDLE);
  EXPECT_NE(std::string(arr_last_error()).find("argument other"), std::string::npos) << arr_last_error();
}

TEST_P(Streams, NoStreamWaitsForOneOfAnotherBackend) {
  if (host()) GTEST_SKIP() << "one pair of backends: it is tried where the parameter is the GPU";
  arr_stream hosts = nullptr;
  ARR_DOES(arr_stream_create(nullptr, 0, &hosts));
  EXPECT_EQ(arr_stream_wait_stream(one, hosts), ARR_E_ARGUMENT);
  EXPECT_NE(std::string(arr_last_error()).find("arr_stream_sync"), std::string::npos) << arr_last_error();
  EXPECT_EQ(arr_stream_wait_stream(hosts, one), ARR_E_ARGUMENT);
  ARR_DOES(arr_stream_release(hosts));
}

// Before the host touches memory itself: what writes it and what reads it has run, in any stream or scope.
TEST_P(Streams, TheHostWaitsForAnArraysMemory) {
  arr_array a = full(1, one), five = full(5, one), sum = nullptr, root = nullptr;
  void* address = nullptr;
  delay(one);
  ARR_DOES(arr_assign(a, five, one));
  ARR_DOES(arr_array_sync(a));
  bool done = false;
  ARR_DOES(arr_stream_query(one, &done));
  EXPECT_TRUE(done);
  delay(two);
  ARR_DOES(arr_add(a, five, two, &sum));  // reads it
  ARR_DOES(arr_array_sync(a));
  ARR_DOES(arr_stream_query(two, &done));
  EXPECT_TRUE(done);
  ARR_DOES(arr_fuse_begin(ARR_FUSE_SMALL));
  ARR_DOES(arr_add(a, a, one, &root));  // so does what is recorded
  ARR_DOES(arr_array_sync(a));
  ARR_DOES(arr_data(a, &address));
  if (host()) {
    auto* x = static_cast<double*>(address);
    EXPECT_EQ(x[999], 5);
    std::fill(x, x + 1000, 100.0);
  }
  ARR_DOES(arr_fuse_end());
  expect_all(sum, 10, nullptr);
  expect_all(root, 10, nullptr);
  for (arr_array r : {a, five, sum, root}) arr_release(r);
  EXPECT_EQ(arr_array_sync(a), ARR_E_HANDLE);
}

// Only where streams have threads of their own is anything ever not done.
TEST_P(Streams, AnAsynchronousHostIsLate) {
  const char* set = std::getenv("ARR_HOST_ASYNC");
  if (!host() || set == nullptr || std::string_view(set) == "0")
    GTEST_SKIP() << "ARR_HOST_ASYNC is not set, or not the host";
  delay(one);
  bool done = true;
  ARR_DOES(arr_stream_query(one, &done));
  EXPECT_FALSE(done);
  ARR_DOES(arr_device_sync(&device));
  ARR_DOES(arr_stream_query(one, &done));
  EXPECT_TRUE(done);
}

ARR_ON_DEVICES(Streams);

}  // namespace
