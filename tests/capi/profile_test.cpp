// SPDX-License-Identifier: MIT
// Traces, ranges and benchmarks as a C program sees them.
#include <arr/arr.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

arr_array full(int64_t n, double x, const arr_device* device) {
  arr_value v;
  arr_value_f32(&v, x);
  arr_array a = nullptr;
  EXPECT_EQ(arr_full(ARR_FLOAT32, 1, &n, ARR_ORDER_C, &v, device, nullptr, &a), ARR_OK) << arr_last_error();
  return a;
}

std::string trace_of(void (*body)(const arr_device*), const arr_device* device) {
  char path[] = "/tmp/arr-trace-XXXXXX";
  close(mkstemp(path));
  EXPECT_EQ(arr_trace_begin(), ARR_OK) << arr_last_error();
  body(device);
  EXPECT_EQ(arr_trace_end(path), ARR_OK) << arr_last_error();
  std::ifstream in(path);
  std::string all{std::istreambuf_iterator<char>(in), {}};
  unlink(path);
  return all;
}

size_t count(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

class Profile : public testing::TestWithParam<int32_t> {
 protected:
  void SetUp() override {
    if (GetParam() == ARR_HOST) return;
    if (std::string(ARR_FAKE_CUDA).empty()) GTEST_SKIP() << "built without the CUDA module";
    for (const char* variable :
         {"ARR_CUDA_DRIVER", "ARR_CUDA_NVRTC", "ARR_CUDA_CUBLAS", "ARR_CUDA_CUBLASLT"}) {
      setenv(variable, ARR_FAKE_CUDA, 1);
    }
  }
  arr_device device{GetParam(), 0};
};
INSTANTIATE_TEST_SUITE_P(Devices, Profile, testing::Values(ARR_HOST, ARR_CUDA));

TEST_P(Profile, TraceHasCallsWorkAndRanges) {
  const std::string json = trace_of(
      [](const arr_device* d) {
        EXPECT_EQ(arr_range_push("outer \"range\""), ARR_OK);
        arr_array a = full(1000, 2, d), b = nullptr, s = nullptr;
        EXPECT_EQ(arr_multiply(a, a, nullptr, &b), ARR_OK) << arr_last_error();
        std::thread([&] { EXPECT_EQ(arr_mark("a point"), ARR_OK); }).join();
        EXPECT_EQ(arr_sum(b, 0, nullptr, false, nullptr, &s), ARR_OK) << arr_last_error();
        for (arr_array x : {a, b, s}) EXPECT_EQ(arr_release(x), ARR_OK);
        EXPECT_EQ(arr_range_pop(), ARR_OK);
      },
      &device);
  EXPECT_EQ(count(json, "\"name\":\"arr_multiply\""), 1U) << json;
  EXPECT_EQ(count(json, "\"name\":\"outer \\\"range\\\"\""), 1U);
  EXPECT_EQ(count(json, "\"name\":\"a point\",\"ph\":\"i\""), 1U);
  EXPECT_EQ(count(json, "\"name\":\"sum("), 1U);
  const size_t work = json.find("\"name\":\"multiply(in0, in1)\"");
  ASSERT_NE(work, std::string::npos) << json;
  EXPECT_NE(json.find("\"shape\":\"(1000)\",\"bytes\":12000", work), std::string::npos);
  EXPECT_EQ(count(json, "{"), count(json, "}"));
  EXPECT_EQ(count(json, "\"dur\":-"), 0U);
}

// One piece of work where the backend adds too, else two.
TEST_P(Profile, TraceTellsOfAProductWithABias) {
  const std::string json = trace_of(
      [](const arr_device* d) {
        const int64_t rows[] = {4, 1}, columns[] = {1, 5};
        arr_array a = full(4, 2, d), b = full(5, 3, d), x = nullptr, y = nullptr, z = nullptr;
        EXPECT_EQ(arr_reshape(a, 2, rows, ARR_ORDER_C, nullptr, &x), ARR_OK) << arr_last_error();
        EXPECT_EQ(arr_reshape(b, 2, columns, ARR_ORDER_C, nullptr, &y), ARR_OK) << arr_last_error();
        EXPECT_EQ(arr_gemm(x, y, nullptr, nullptr, b, ARR_ACTIVATION_NONE, nullptr, &z), ARR_OK)
            << arr_last_error();
        for (arr_array one : {a, b, x, y, z}) EXPECT_EQ(arr_release(one), ARR_OK);
      },
      &device);
  const bool cuda = GetParam() == ARR_CUDA;
  EXPECT_EQ(count(json, "\"name\":\"gemm\""), cuda ? 1U : 0U) << json;
  EXPECT_EQ(count(json, "\"name\":\"matmul\""), cuda ? 0U : 1U);
  EXPECT_EQ(count(json, "\"name\":\"add(in0, in1)\""), cuda ? 0U : 1U);
  EXPECT_EQ(count(json, cuda ? "\"shape\":\"(1, 4, 1, 5)\",\"bytes\":136"
                             : "\"shape\":\"(1, 4, 1, 5)\",\"bytes\":116"),
            1U)
      << json;
}

TEST_P(Profile, RangesHaveColoursAndMayEndAnywhere) {
  int64_t early = 0;
  ASSERT_EQ(arr_range_start("began before", 0, &early), ARR_OK);
  ASSERT_EQ(arr_range_push("open before"), ARR_OK);
  static int64_t ids[2];
  std::string json = trace_of(
      [](const arr_device*) {
        EXPECT_EQ(arr_range_push_color("red", 0xFFFF0000), ARR_OK);
        EXPECT_EQ(arr_range_start("task", 0x80C0FFEE, &ids[0]), ARR_OK);
        EXPECT_EQ(arr_range_start("other task", 0, &ids[1]), ARR_OK);
        EXPECT_EQ(arr_mark_color("green", 0xFF00FF00), ARR_OK);
        EXPECT_EQ(arr_mark("caf\xe9, \xc3\xa9"), ARR_OK);  // bytes that are no UTF-8 would spoil the file
        EXPECT_EQ(arr_range_pop(), ARR_OK);
        std::thread([] { EXPECT_EQ(arr_range_end(ids[0]), ARR_OK); }).join();
      },
      &device);
  const auto has = [&](const std::string& line) { return count(json, line) == 1; };
  EXPECT_NE(ids[0], ids[1]);
  const std::string id = "\"cat\":\"range\",\"id\":" + std::to_string(ids[0]);
  EXPECT_TRUE(has("\"name\":\"red\",\"ph\":\"X\"") && has("{\"color\":\"#ffff0000\"}")) << json;
  EXPECT_TRUE(has("\"name\":\"green\",\"ph\":\"i\"") && has("{\"color\":\"#ff00ff00\"}")) << json;
  EXPECT_TRUE(has("\"name\":\"task\",\"ph\":\"b\"") && has("\"name\":\"task\",\"ph\":\"e\"")) << json;
  EXPECT_TRUE(has("\"name\":\"caf\\\\xe9, \xc3\xa9\",")) << json;
  EXPECT_EQ(count(json, id), 2U) << json;
  EXPECT_EQ(count(json, "{\"color\":\"#80c0ffee\"}"), 2U);
  EXPECT_EQ(count(json, "other task"), 0U) << "has not ended";
  EXPECT_EQ(count(json, "{"), count(json, "}"));
  EXPECT_EQ(arr_range_end(ids[0]), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_range_end(ids[1]), ARR_OK);
  // A range that began before the trace begins with it.
  static int64_t before;
  before = early;
  json = trace_of(
      [](const arr_device*) {
        EXPECT_EQ(arr_range_pop(), ARR_OK);
        EXPECT_EQ(arr_range_end(before), ARR_OK);
      },
      &device);
  EXPECT_TRUE(has("\"name\":\"open before\",\"ph\":\"X\",\"ts\":0.000,")) << json;
  EXPECT_TRUE(has("\"name\":\"began before\",\"ph\":\"b\",\"ts\":0.000,")) << json;
}

TEST_P(Profile, WrongRangesAreRefused) {
  int64_t id = 77;
  EXPECT_EQ(arr_range_push_color(nullptr, 0), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_mark_color("a", -1), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_range_push_color("a", int64_t{1} << 32), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_range_pop(), ARR_E_ARGUMENT) << "nothing has been opened";
  EXPECT_EQ(arr_range_start("a", -1, &id), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_range_start(nullptr, 0, &id), ARR_E_ARGUMENT);
  EXPECT_EQ(id, 77);
  EXPECT_EQ(arr_range_start("a", 0, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_range_end(0), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_range_end(-5), ARR_E_ARGUMENT);
}

TEST_P(Profile, NothingIsRecordedOutside) {
  arr_array a = full(10, 1, &device);
  EXPECT_EQ(arr_release(a), ARR_OK);
  const std::string json = trace_of([](const arr_device*) {}, &device);
  EXPECT_EQ(count(json, "arr_full"), 0U);
  EXPECT_EQ(arr_trace_end(nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_trace_begin(), ARR_OK);
  EXPECT_EQ(arr_trace_begin(), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_trace_end("/no/such/folder/trace.json"), ARR_E_IO);
  EXPECT_EQ(arr_trace_begin(), ARR_E_ARGUMENT);  // it goes on
  EXPECT_EQ(arr_trace_end(nullptr), ARR_OK);
  EXPECT_EQ(arr_trace_end(nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_range_pop(), ARR_E_ARGUMENT);
}

// Each event is given back once, whoever started the device's clock.
TEST_P(Profile, ThreadsBeginATraceTogether) {
  const auto live = [&]() -> int64_t {
    void* fake = GetParam() == ARR_HOST ? nullptr : dlopen(ARR_FAKE_CUDA, RTLD_NOW);
    if (fake == nullptr) return 0;
    auto* count = reinterpret_cast<int64_t (*)(const char*)>(dlsym(fake, "arr_fake_cuda_live"));
    return count("events");
  };
  constexpr int threads = 8;
  std::vector<arr_array> arrays;
  for (int i = 0; i < threads; ++i) arrays.push_back(full(100, i, &device));
  const int64_t before = live();
  for (int round = 0; round < 20; ++round) {
    ASSERT_EQ(arr_trace_begin(), ARR_OK);
    std::vector<std::thread> all;
    for (arr_array a : arrays) {
      all.emplace_back([a] { EXPECT_EQ(arr_multiply_into(a, a, a, nullptr), ARR_OK) << arr_last_error(); });
    }
    for (std::thread& t : all) t.join();
    ASSERT_EQ(arr_trace_end(nullptr), ARR_OK) << arr_last_error();
  }
  EXPECT_EQ(live(), before);
  for (arr_array a : arrays) EXPECT_EQ(arr_release(a), ARR_OK);
}

// The driver is told once each time; the host has nothing to tell.
TEST_P(Profile, ProfilersAreTold) {
  arr_array a = full(10, 1, &device);  // opens the device
  void* fake = GetParam() == ARR_HOST ? nullptr : dlopen(ARR_FAKE_CUDA, RTLD_NOW);
  const auto calls = [&](const char* function) -> int64_t {
    if (fake == nullptr) return 0;
    return reinterpret_cast<int64_t (*)(const char*)>(dlsym(fake, "arr_fake_cuda_calls"))(function);
  };
  const int64_t started = calls("cuProfilerStart"), stopped = calls("cuProfilerStop");
  const int64_t one = fake == nullptr ? 0 : 1;
  EXPECT_EQ(arr_profiler_start(&device), ARR_OK) << arr_last_error();
  EXPECT_EQ(calls("cuProfilerStart"), started + one);
  EXPECT_EQ(calls("cuProfilerStop"), stopped);
  EXPECT_EQ(arr_profiler_stop(&device), ARR_OK) << arr_last_error();
  EXPECT_EQ(calls("cuProfilerStart"), started + one);
  EXPECT_EQ(calls("cuProfilerStop"), stopped + one);
  const arr_device none = {GetParam(), 99};
  EXPECT_NE(arr_profiler_start(&none), ARR_OK);
  EXPECT_EQ(arr_release(a), ARR_OK);
}

struct Counted {
  arr_array a;
  int64_t runs = 0;
  arr_status result = ARR_OK;
};
arr_status run(void* ctx, arr_stream stream) {
  auto* c = static_cast<Counted*>(ctx);
  ++c->runs;
  if (c->result != ARR_OK) return c->result;
  return arr_multiply_into(c->a, c->a, c->a, stream);
}

TEST_P(Profile, BenchmarkCountsAndOrders) {
  Counted c{full(1000, 1, &device)};
  arr_benchmark_options o = {};
  o.struct_size = sizeof o;
  o.repeats = 20;
  o.warmup = 5;
  o.seconds = 100;
  arr_benchmark_result r = {};
  r.struct_size = sizeof r;
  ASSERT_EQ(arr_benchmark(run, &c, &device, &o, &r), ARR_OK) << arr_last_error();
  EXPECT_EQ(c.runs, 25);
  EXPECT_EQ(r.repeats, 20);
  EXPECT_GT(r.host_min, 0);
  EXPECT_LE(r.host_min, r.host_median);
  EXPECT_LE(r.host_median, r.host_max);
  EXPECT_LE(r.host_min, r.host_mean);
  EXPECT_GE(r.device_min, 0);
  EXPECT_LE(r.device_median, r.device_max);
  o.seconds = 1e-9;
  o.warmup = -1;
  ASSERT_EQ(arr_benchmark(run, &c, &device, &o, &r), ARR_OK);
  EXPECT_EQ(r.repeats, 1);
  EXPECT_EQ(c.runs, 26);
  c.result = ARR_E_DTYPE;
  EXPECT_EQ(arr_benchmark(run, &c, &device, nullptr, &r), ARR_E_DTYPE);
  EXPECT_EQ(arr_benchmark(nullptr, &c, &device, nullptr, &r), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_benchmark(run, &c, &device, nullptr, nullptr), ARR_E_ARGUMENT);
  o.repeats = -1;
  EXPECT_EQ(arr_benchmark(run, &c, &device, &o, &r), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_release(c.a), ARR_OK);
}

}  // namespace
