// SPDX-License-Identifier: MIT
// arr_set_threads and ARR_THREADS: loops, matrix products and raw kernels keep to the limit.
#include <gtest/gtest.h>

#include <arr/arr.h>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace {

// The threads of this process.
int threads() {
  int n = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    n += entry.exists() ? 1 : 0;
  return n;
}

// A loop over many elements, a product and a kernel of many blocks.
bool work() {
  const int64_t n = 1 << 22, shape[2] = {600, 600};
  arr_array a = nullptr, b = nullptr, m = nullptr, p = nullptr;
  bool right = arr_ones(ARR_FLOAT32, 1, &n, ARR_ORDER_C, nullptr, nullptr, &a) == ARR_OK &&
               arr_exp(a, nullptr, &b) == ARR_OK &&
               arr_ones(ARR_FLOAT64, 2, shape, ARR_ORDER_C, nullptr, nullptr, &m) == ARR_OK;
  const arr_status product = arr_matmul(m, m, nullptr, &p);
  right = right && (product == ARR_OK || product == ARR_E_UNAVAILABLE);  // without OpenBLAS
  for (arr_array one : {a, b, m, p}) {
    if (one != nullptr) arr_release(one);
  }
  return right;
}

}  // namespace

// Each test in a process of its own, in which no thread has started.

TEST(Threads, OneIsTheCallingThread) {
  ASSERT_EQ(arr_set_threads(1), ARR_OK);
  ASSERT_TRUE(work()) << arr_last_error();
  EXPECT_EQ(threads(), 1);
}

TEST(Threads, TheEnvironmentSetsTheLimitAtTheStart) {
  setenv("ARR_THREADS", "1", 1);
  int32_t n = 0;
  ASSERT_EQ(arr_threads(&n), ARR_OK);
  EXPECT_EQ(n, 1);
  ASSERT_TRUE(work()) << arr_last_error();
  EXPECT_EQ(threads(), 1);
}

TEST(Threads, TheLimitCanBeRaisedAndRestored) {
  int32_t before = 0, n = 0;
  ASSERT_EQ(arr_threads(&before), ARR_OK);
  ASSERT_EQ(arr_set_threads(1), ARR_OK);
  ASSERT_TRUE(work());
  EXPECT_EQ(threads(), 1);
  ASSERT_EQ(arr_set_threads(2), ARR_OK);
  ASSERT_TRUE(work());
  ASSERT_EQ(arr_threads(&n), ARR_OK);
  EXPECT_EQ(n, 2);
  if (std::thread::hardware_concurrency() > 1) {
    EXPECT_GT(threads(), 1);
  }
  ASSERT_EQ(arr_set_threads(0), ARR_OK);
  ASSERT_EQ(arr_threads(&n), ARR_OK);
  EXPECT_EQ(n, before);
}

TEST(Threads, DevicesAndKernelsKnowTheLimit) {
  const arr_device host = {ARR_HOST, 0};
  arr_device_properties properties{};
  properties.struct_size = sizeof properties;
  ASSERT_EQ(arr_set_threads(3), ARR_OK);
  ASSERT_EQ(arr_device_info(&host, &properties), ARR_OK);
  EXPECT_EQ(properties.multiprocessors, 3);
}

TEST(Threads, WrongLimitsAreRefused) {
  setenv("ARR_THREADS", "many", 1);
  int32_t n = 0;
  ASSERT_EQ(arr_threads(&n), ARR_OK);
  EXPECT_EQ(n, static_cast<int32_t>(std::thread::hardware_concurrency()));
  EXPECT_EQ(arr_set_threads(-1), ARR_E_ARGUMENT);
  EXPECT_STREQ(arr_last_error(), "arr_set_threads: argument n: -1, expected 0 to 4096");
  EXPECT_EQ(arr_set_threads(4097), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_threads(nullptr), ARR_E_ARGUMENT);
}
