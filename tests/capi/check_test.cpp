// SPDX-License-Identifier: MIT
// ARR_CHECK=1 through the C API, on the host: what a kernel does wrong in memory is an error of its launch,
// and everything goes on from there.
#include "modules.h"

namespace arr_test {
namespace {

class Check : public Modules {
 protected:
  arr_array range(int32_t n) const {
    arr_array a = zeros(ARR_FLOAT32, n);
    std::vector<float> values(static_cast<size_t>(n));
    for (int32_t i = 0; i < n; ++i) values[static_cast<size_t>(i)] = static_cast<float>(i);
    EXPECT_EQ(arr_set(a, ARR_ORDER_C, values.data(), n * int64_t{4}, nullptr), ARR_OK) << arr_last_error();
    return a;
  }
  static arr_array slice(arr_array a, int64_t start, int64_t stop, int64_t step) {
    arr_array out = nullptr;
    EXPECT_EQ(arr_slice(a, 1, &start, &stop, &step, &out), ARR_OK) << arr_last_error();
    return out;
  }
  static void release(std::initializer_list<arr_array> arrays) {
    for (arr_array a : arrays) EXPECT_EQ(arr_release(a), ARR_OK);
  }
  using Modules::release;
};

TEST_P(Check, AccessBeyondAViewIsAnErrorOfTheLaunch) {
  arr_module m = load(
      "extern \"C\" __global__ void k(const float* x, float* y, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i <= n) {\n    y[i] = 2 * x[i];\n  }\n}\n");
  arr_kernel k = kernel(m, "k");
  arr_array x = range(64), y = zeros(ARR_FLOAT32, 64), view = slice(x, 8, 40, 1);
  EXPECT_EQ(launch(k, 2, 16, {of(view), of(y), of(32)}), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<float>(y, 64)[31], 2 * 39.0F);
  EXPECT_EQ(launch(k, 3, 16, {of(view), of(y), of(32)}), ARR_E_DEVICE);
  EXPECT_EQ(
      said(),
      "kernel 'k': read of 4 bytes at offset 128 of argument args[0], an array of 128 bytes, in line 4, "
      "block (2,0,0), thread (0,0,0)");
  EXPECT_EQ(launch(k, 5, 16, {of(x), of(y), of(64)}), ARR_E_DEVICE);
  EXPECT_EQ(
      said(),
      "kernel 'k': read of 4 bytes at offset 256 of argument args[0], an array of 256 bytes, in line 4, "
      "block (4,0,0), thread (0,0,0)");
  EXPECT_EQ(launch(k, 4, 16, {of(x), of(y), of(63)}), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<float>(y, 64)[63], 2 * 63.0F);
  release({view, x, y});
  release(k, m);
}

// The view's elements lie before its first one.
TEST_P(Check, ViewsThatRunBackwards) {
  arr_module m =
      load("extern \"C\" __global__ void k(float* x, int step) { x[step * (int)threadIdx.x] = -1; }\n");
  arr_kernel k = kernel(m, "k");
  arr_array x = range(16), view = slice(x, 11, 3, -2);  // 11, 9, 7, 5
  EXPECT_EQ(launch(k, 1, 4, {of(view), of(-2)}), ARR_OK) << arr_last_error();
  EXPECT_EQ(launch(k, 1, 5, {of(view), of(-2)}), ARR_E_DEVICE);
  EXPECT_EQ(
      said(),
      "kernel 'k': write of 4 bytes at offset -8 of argument args[0], an array of 28 bytes, in line 1, block "
      "(0,0,0), thread (4,0,0)");
  EXPECT_EQ(get<float>(x, 16), (std::vector<float>{0, 1, 2, 3, 4, -1, 6, -1, 8, -1, 10, -1, 12, 13, 14, 15}));
  release({view, x});
  release(k, m);
}

TEST_P(Check, RaceInSharedMemory) {
  const char* source =
      "extern \"C\" __global__ void sum(const float* x, float* y) {\n"
      "  __shared__ float s[64];\n  int t = threadIdx.x;\n  s[t] = x[t];\n"
      "  for (int h = 32; h > 0; h /= 2) {\n    __syncthreads();\n"
      "    if (t < h) s[t] += s[t + h];\n  }\n#ifdef WAIT\n  __syncthreads();\n#endif\n  y[t] = s[0];\n}\n";
  arr_array x = range(64), y = zeros(ARR_FLOAT32, 64);
  arr_module m = load(source);
  arr_kernel k = kernel(m, "sum");
  EXPECT_EQ(launch(k, 1, 64, {of(x), of(y)}), ARR_E_DEVICE);
  EXPECT_EQ(
      said(),
      "kernel 'sum': race in shared memory s at offset 0 of 256 bytes: write by thread (0,0,0) in line 7 and "
      "read by thread (1,0,0) in line 12 without a barrier between them, block (0,0,0)");
  release(k, m);
  const char* define = "WAIT";
  arr_module_options o{};
  o.defines = &define;
  o.ndefines = 1;
  m = load(source, o);
  k = kernel(m, "sum");
  EXPECT_EQ(launch(k, 1, 64, {of(x), of(y)}), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<float>(y, 64)[63], 63 * 32.0F);
  release({x, y});
  release(k, m);
}

// The extents of the arguments' memory are kept with the launch.
TEST_P(Check, LaunchesOfAGraph) {
  arr_module m = load("extern \"C\" __global__ void k(float* x) {\n  x[threadIdx.x] += 1;\n}\n");
  arr_kernel k = kernel(m, "k");
  arr_array x = range(16);
  arr_stream stream = nullptr;
  EXPECT_EQ(arr_stream_create(&device, 0, &stream), ARR_OK) << arr_last_error();
  for (const int32_t threads : {16, 17}) {
    const int64_t grid[] = {1, 1, 1};
    const int32_t block[] = {threads, 1, 1};
    const arr_value v = of(x);
    arr_graph graph = nullptr;
    EXPECT_EQ(arr_graph_begin(stream), ARR_OK) << arr_last_error();
    EXPECT_EQ(arr_launch_raw(k, grid, block, 0, 1, &v, stream), ARR_OK) << arr_last_error();
    EXPECT_EQ(arr_graph_end(stream, &graph), ARR_OK) << arr_last_error();
    EXPECT_EQ(arr_graph_launch(graph, stream), threads == 16 ? ARR_OK : ARR_E_DEVICE);
    if (threads == 17) {
      EXPECT_EQ(
          said(),
          "kernel 'k': read of 4 bytes at offset 64 of argument args[0], an array of 64 bytes, in line 2, "
          "block (0,0,0), thread (16,0,0)");
    }
    EXPECT_EQ(arr_graph_release(graph), ARR_OK);
  }
  EXPECT_EQ(arr_stream_release(stream), ARR_OK);
  EXPECT_EQ(get<float>(x, 16)[15], 15 + 2.0F);  // of both launches
  release({x});
  release(k, m);
}

TEST_P(Check, RawArgumentOfAnElementwiseKernel) {
  arr_user_kernel k = nullptr;
  ASSERT_EQ(arr_elementwise_kernel("T x, raw T table, int32 far", "T r", "r = x + table[i + far]", "look",
                                   nullptr, nullptr, nullptr, 0, 0, nullptr, &k),
            ARR_OK)
      << arr_last_error();
  arr_array x = range(32), even = slice(x, 0, 32, 2), table = range(20), r = nullptr;
  const std::vector<arr_value> good = {of(even), of(table), of(4)}, bad = {of(even), of(table), of(5)};
  EXPECT_EQ(arr_elementwise_kernel_run(k, 3, good.data(), -1, 8, nullptr, nullptr, 1, &r), ARR_OK)
      << arr_last_error();
  EXPECT_EQ(get<float>(r, 16)[15], 30.0F + 19.0F);
  release({r});
  EXPECT_EQ(arr_elementwise_kernel_run(k, 3, bad.data(), -1, 8, nullptr, nullptr, 1, &r), ARR_E_DEVICE);
  EXPECT_NE(said().find("read of 4 bytes at offset 80 of argument table, an array of 80 bytes, in line "),
            std::string::npos)
      << said();
  EXPECT_NE(said().find(", block (1,0,0), thread (7,0,0)"), std::string::npos) << said();
  release({x, even, table});
  EXPECT_EQ(arr_user_kernel_release(k), ARR_OK);
}

// One that is split in parts, whose results lie in memory of the library's own.
TEST_P(Check, ReductionKernelsAreFreeOfFindings) {
  arr_user_kernel k = nullptr;
  ASSERT_EQ(arr_reduction_kernel("T x", "T r", "x", "a + b", nullptr, "0", "total", nullptr, nullptr, 0,
                                 nullptr, &k),
            ARR_OK)
      << arr_last_error();
  for (const int32_t n : {1, 100, 200000}) {
    arr_array x = range(n), odd = slice(x, 1, n, 2), r = nullptr;
    for (arr_array a : {x, odd}) {
      const arr_value v = of(a);
      EXPECT_EQ(arr_reduction_kernel_run(k, 1, &v, 0, nullptr, false, nullptr, 1, &r), ARR_OK)
          << arr_last_error();
      release({r});
    }
    release({x, odd});
  }
  EXPECT_EQ(arr_user_kernel_release(k), ARR_OK);
}

INSTANTIATE_TEST_SUITE_P(Host, Check, testing::Values(ARR_HOST));

}  // namespace
}  // namespace arr_test
