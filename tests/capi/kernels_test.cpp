// SPDX-License-Identifier: MIT
// Kernels through the C API, on the host and over the fake CUDA: attributes, occupancy, launches with
// options, arguments of every type and size.
#include "modules.h"

namespace arr_test {
namespace {

class Kernels : public Modules {};

TEST_P(Kernels, AttributesAndOccupancy) {
  arr_module m = load(
      "extern \"C\" __global__ void k(float* x) {\n  __shared__ float s[64];\n  s[threadIdx.x] = "
      "x[threadIdx.x];\n"
      "  __syncthreads();\n  x[threadIdx.x] = s[63 - threadIdx.x];\n}\n");
  arr_kernel k = kernel(m, "k");
  int64_t v = 0;
  EXPECT_EQ(arr_kernel_attribute(k, ARR_KERNEL_MAX_THREADS, &v), ARR_OK);
  EXPECT_EQ(v, 1024);
  EXPECT_EQ(arr_kernel_attribute(k, ARR_KERNEL_SHARED_BYTES, &v), ARR_OK) << arr_last_error();
  EXPECT_EQ(v, 256);
  EXPECT_EQ(arr_kernel_attribute(k, ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES, &v), ARR_OK);
  EXPECT_EQ(v, 49152);
  EXPECT_EQ(arr_kernel_set_attribute(k, ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 100000), ARR_OK);
  EXPECT_EQ(arr_kernel_attribute(k, ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES, &v), ARR_OK);
  EXPECT_EQ(v, 100000);
  EXPECT_EQ(arr_kernel_set_attribute(k, ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 300000), ARR_E_ARGUMENT);
  EXPECT_EQ(said().find("argument value: 300000 bytes, k can have 232"), 0U) << said();
  EXPECT_EQ(arr_kernel_attribute(k, ARR_KERNEL_REGISTERS, &v), host() ? ARR_E_UNSUPPORTED : ARR_OK);
  EXPECT_EQ(arr_kernel_set_attribute(k, ARR_KERNEL_SHARED_CARVEOUT, 50), host() ? ARR_E_UNSUPPORTED : ARR_OK);
  if (!host()) {
    EXPECT_EQ(arr_kernel_attribute(k, ARR_KERNEL_SHARED_CARVEOUT, &v), ARR_OK);
    EXPECT_EQ(v, 50);
    EXPECT_EQ(arr_kernel_attribute(k, 1000, &v), ARR_E_ARGUMENT);
    EXPECT_EQ(arr_kernel_set_attribute(k, ARR_KERNEL_REGISTERS, 5), ARR_E_ARGUMENT);
  }
  EXPECT_EQ(v, host() ? 100000 : 50);

  int32_t blocks = 0, threads = 0;
  EXPECT_EQ(arr_kernel_occupancy(k, 512, 0, &blocks), ARR_OK) << arr_last_error();
  EXPECT_EQ(blocks, host() ? 2 : 4);
  EXPECT_EQ(arr_kernel_occupancy(k, 0, 0, &blocks), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_kernel_occupancy(k, 512, -1, &blocks), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_kernel_block_size(k, 0, 0, &threads, &blocks), ARR_OK);
  EXPECT_EQ(threads, 1024);
  EXPECT_GE(blocks, 1);
  EXPECT_EQ(arr_kernel_block_size(k, 0, 256, &threads, nullptr), ARR_OK);
  EXPECT_EQ(threads, 256);
  EXPECT_EQ(arr_kernel_block_size(k, 0, -1, &threads, nullptr), ARR_E_ARGUMENT);
  release(k, m);
}

TEST_P(Kernels, AThreadForEachElement) {
  arr_module m = load(
      "extern \"C\" __global__ void k(int* o, int* threads, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) o[i] += i;\n"
      "  if (i == 0) *threads = blockDim.x * gridDim.x;\n}\n");
  arr_kernel k = kernel(m, "k");
  arr_array out = zeros(ARR_INT32, 1000), threads = zeros(ARR_INT32, 1);
  const auto run = [&](int64_t n, int32_t block) {
    const arr_value args[] = {of(out), of(threads), of(static_cast<int32_t>(n))};
    return arr_launch_linear(k, n, block, 0, 3, args, nullptr);
  };
  struct Case {
    int64_t n;
    int32_t block, threads;
  };
  std::vector<int32_t> want(1000);
  for (const Case& c :
       {Case{1000, 0, 1024}, {1000, 256, 1024}, {999, 1024, 999}, {129, 128, 256}, {3, 0, 3}}) {
    ASSERT_EQ(run(c.n, c.block), ARR_OK) << arr_last_error();
    for (int32_t i = 0; i < c.n; ++i) want[static_cast<size_t>(i)] += i;
    EXPECT_EQ(get<int32_t>(out, 1000), want) << c.n;
    EXPECT_EQ(get<int32_t>(threads, 1)[0], c.threads) << c.n;
  }
  ASSERT_EQ(run(0, 0), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<int32_t>(out, 1000), want);
  EXPECT_EQ(run(-1, 0), ARR_E_ARGUMENT);
  EXPECT_EQ(said(), "argument n: -1 is negative");
  EXPECT_EQ(run(5, -1), ARR_E_ARGUMENT);
  EXPECT_EQ(said(), "argument block: -1 is negative");
  EXPECT_EQ(run(5000, 2000), ARR_E_ARGUMENT);
  EXPECT_EQ(run(INT64_MAX, 1), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_launch_linear(nullptr, 0, 0, 0, 0, nullptr, nullptr), ARR_E_HANDLE);
  for (arr_array a : {out, threads}) EXPECT_EQ(arr_release(a), ARR_OK);
  release(k, m);
}

TEST_P(Kernels, LaunchOptions) {
  arr_module m = load(
      "extern \"C\" __global__ void k(int* o, int n) {\n  extern __shared__ int s[];\n"
      "  s[n - 1] = 5;\n  o[blockIdx.x] = s[n - 1];\n}\n");
  arr_kernel k = kernel(m, "k");
  arr_array out = zeros(ARR_INT32, 64);
  arr_launch_options o{};
  o.struct_size = sizeof o;
  o.shared_bytes = 150000;  // above 48 KiB: the limit is raised
  EXPECT_EQ(launch(k, 1, 1, {of(out), of(37500)}, &o), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<int32_t>(out, 64)[0], 5);
  int64_t v = 0;
  EXPECT_EQ(arr_kernel_attribute(k, ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES, &v), ARR_OK);
  EXPECT_EQ(v, 150000);
  o.shared_bytes = 300000;
  EXPECT_EQ(launch(k, 1, 1, {of(out), of(1)}, &o), ARR_E_ARGUMENT);
  o.shared_bytes = 64;

  o.cooperative = 1;
  EXPECT_EQ(launch(k, 1, 1, {of(out), of(1)}, &o), ARR_OK) << arr_last_error();
  EXPECT_EQ(launch(k, 4, 1, {of(out), of(1)}, &o), ARR_OK) << arr_last_error();
  EXPECT_EQ(launch(k, 100000, 1, {of(out), of(1)}, &o), ARR_E_ARGUMENT);
  EXPECT_EQ(said().find("argument grid: 100000 x 1 x 1 blocks in a cooperative launch, "), 0U) << said();
  o.cooperative = 0;
  o.cluster_x = 2;
  EXPECT_EQ(launch(k, 4, 1, {of(out), of(1)}, &o), host() ? ARR_E_UNSUPPORTED : ARR_OK) << arr_last_error();
  if (!host()) {
    EXPECT_EQ(launch(k, 5, 1, {of(out), of(1)}, &o), ARR_E_ARGUMENT);
    EXPECT_EQ(said(), "argument options: a cluster of (2,1,1) blocks does not divide the grid (5,1,1)");
  }
  o.cluster_x = 0;
  o.cluster_y = 3;
  EXPECT_EQ(launch(k, 1, 1, {of(out), of(1)}, &o), ARR_E_ARGUMENT);
  o = {};
  EXPECT_EQ(launch(k, 1, 1, {of(out), of(1)}, &o), ARR_E_ARGUMENT);
  EXPECT_EQ(said(), "argument options: struct_size is 0, expected 32");
  EXPECT_EQ(arr_release(out), ARR_OK);
  release(k, m);
}

TEST_P(Kernels, AreKeptInGraphsWithTheirArguments) {
  arr_module m = load(
      "extern \"C\" __global__ void k(int* o, int n) {\n  if (threadIdx.x < n) o[threadIdx.x] += n;\n}\n");
  arr_kernel k = kernel(m, "k");
  arr_array out = zeros(ARR_INT32, 4);
  arr_stream stream = nullptr;
  arr_graph graph = nullptr;
  ASSERT_EQ(arr_stream_create(&device, 0, &stream), ARR_OK);
  const int64_t grid[] = {1, 1, 1}, none[] = {0, 1, 1};
  const int32_t block[] = {4, 1, 1};
  arr_value args[] = {of(out), of(3)};
  ASSERT_EQ(arr_graph_begin(stream), ARR_OK);
  EXPECT_EQ(arr_launch_raw(k, grid, block, 0, 2, args, stream), ARR_OK) << arr_last_error();
  EXPECT_EQ(arr_launch_raw(k, none, block, 0, 2, args, stream), ARR_E_ARGUMENT) << "found at the capture";
  ASSERT_EQ(arr_graph_end(stream, &graph), ARR_OK) << arr_last_error();
  args[1] = of(100);
  EXPECT_EQ(get<int32_t>(out, 4), (std::vector<int32_t>{0, 0, 0, 0}));
  for (int launch = 1; launch < 3; ++launch) {
    ASSERT_EQ(arr_graph_launch(graph, stream), ARR_OK) << arr_last_error();
    EXPECT_EQ(get<int32_t>(out, 4), (std::vector<int32_t>{3 * launch, 3 * launch, 3 * launch, 0}));
  }
  EXPECT_EQ(arr_graph_release(graph), ARR_OK);
  EXPECT_EQ(arr_stream_release(stream), ARR_OK);
  EXPECT_EQ(arr_release(out), ARR_OK);
  release(k, m);
}

// At once, in a graph, and by a stream's own thread where the host is late.
TEST_P(Kernels, BlocksOfACooperativeLaunchWaitForEachOther) {
  arr_module m = load(
      "#include <cooperative_groups.h>\nextern \"C\" __global__ void k(int* o, int n) {\n"
      "  auto grid = cooperative_groups::this_grid();\n  for (int i = 0; i < n; i++) {\n"
      "    const int next = o[(blockIdx.x + 1) % gridDim.x];\n    grid.sync();\n    o[blockIdx.x] = next + "
      "1;\n"
      "    grid.sync();\n  }\n}\n");
  arr_kernel k = kernel(m, "k");
  arr_array out = zeros(ARR_INT32, 4);
  const int32_t start[] = {10, 20, 30, 40};
  EXPECT_EQ(arr_set(out, ARR_ORDER_C, start, sizeof start, nullptr), ARR_OK);
  arr_launch_options o{};
  o.struct_size = sizeof o;
  o.cooperative = 1;
  EXPECT_EQ(launch(k, 4, 1, {of(out), of(5)}, &o), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<int32_t>(out, 4), (std::vector<int32_t>{25, 35, 45, 15}));
  arr_stream stream = nullptr;
  arr_graph graph = nullptr;
  const int64_t grid[] = {4, 1, 1}, many[] = {1000000, 1000000, 1};
  const int32_t block[] = {1, 1, 1};
  arr_value args[] = {of(out), of(2)};
  ASSERT_EQ(arr_stream_create(&device, 0, &stream), ARR_OK);
  ASSERT_EQ(arr_graph_begin(stream), ARR_OK);
  EXPECT_EQ(arr_launch_raw_options(k, grid, block, &o, 2, args, stream), ARR_OK) << arr_last_error();
  EXPECT_EQ(arr_launch_raw_options(k, many, block, &o, 2, args, stream), ARR_E_ARGUMENT);
  ASSERT_EQ(arr_graph_end(stream, &graph), ARR_OK) << arr_last_error();
  for (int i = 0; i < 2; ++i) ASSERT_EQ(arr_graph_launch(graph, stream), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<int32_t>(out, 4), (std::vector<int32_t>{29, 39, 49, 19}));
  EXPECT_EQ(arr_graph_release(graph), ARR_OK);
  EXPECT_EQ(arr_stream_release(stream), ARR_OK);
  EXPECT_EQ(arr_release(out), ARR_OK);
  release(k, m);
}

struct Big {
  int values[8190];  // 32,760 bytes
};

TEST_P(Kernels, StructsOfUpTo32Kilobytes) {
  arr_module m = load(
      "struct Big { int values[8190]; };\nextern \"C\" __global__ void k(const Big b, int i, int* o) {\n"
      "  *o = b.values[i];\n}\nstruct Less { int values[4000]; };\n"
      "extern \"C\" __global__ void less(const Less b, int i, int* o) { *o = b.values[i]; }\n");
  static Big big;
  for (int i = 0; i < 8190; ++i) big.values[i] = 3 * i;
  arr_array out = zeros(ARR_INT32, 1);
  arr_value bytes;
  arr_value_bytes(&bytes, &big, 16000);
  arr_kernel k = kernel(m, "less");
  EXPECT_EQ(launch(k, 1, 1, {bytes, of(3999), of(out)}), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<int32_t>(out, 1)[0], 3 * 3999);
  arr_value_bytes(&bytes, &big, 15996);
  EXPECT_EQ(launch(k, 1, 1, {bytes, of(3999), of(out)}), ARR_E_ARGUMENT);
  EXPECT_EQ(said(), "argument args[0]: 15996 bytes, but kernel less takes 16000 bytes there");
  EXPECT_EQ(arr_kernel_release(k), ARR_OK);
  k = kernel(m, "k");
  arr_value_bytes(&bytes, &big, sizeof big);
  EXPECT_EQ(launch(k, 1, 1, {bytes, of(1), of(out)}), ARR_E_ARGUMENT);
  EXPECT_EQ(said(), "argument args: 32772 bytes, a kernel takes at most 32764");
  EXPECT_EQ(arr_release(out), ARR_OK);
  release(k, m);
}

TEST_P(Kernels, ParametersAndEveryScalar) {
  arr_module m = load(
      "extern \"C\" __global__ void k(double* o, bool a, signed char b, short c, int d, long long e,\n"
      "    unsigned char f, unsigned short g, unsigned h, unsigned long long i, float j, double l) {\n"
      "  *o = a + b + c + d + double(e) + f + g + h + double(i) + j + l;\n}\n");
  arr_kernel k = kernel(m, "k");
  int32_t n = 0;
  int64_t bytes[16] = {};
  arr_dtype dtypes[16] = {};
  EXPECT_EQ(arr_kernel_params(k, 16, bytes, dtypes, &n), ARR_OK);
  ASSERT_EQ(n, 12);
  constexpr int64_t sizes[] = {8, 1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
  constexpr arr_dtype types[] = {ARR_FLOAT64, ARR_BOOL,   ARR_INT8,   ARR_INT16,  ARR_INT32,   ARR_INT64,
                                 ARR_UINT8,   ARR_UINT16, ARR_UINT32, ARR_UINT64, ARR_FLOAT32, ARR_FLOAT64};
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(bytes[i], sizes[i]) << i;
    EXPECT_EQ(dtypes[i], types[i]) << i;
  }
  arr_array out = zeros(ARR_FLOAT64, 1);
  std::vector<arr_value> args = {of(out)};
  for (int i = 1; i < 12; ++i) {
    const double f64 = 1;
    const float f32 = 1;
    const int64_t whole = 1;
    arr_value v;
    ASSERT_EQ(arr_value_bits(&v, types[i],
                             types[i] == ARR_FLOAT64   ? static_cast<const void*>(&f64)
                             : types[i] == ARR_FLOAT32 ? static_cast<const void*>(&f32)
                                                       : &whole),
              ARR_OK);
    args.push_back(v);
  }
  EXPECT_EQ(launch(k, 1, 1, args), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<double>(out, 1)[0], 11);
  args.pop_back();
  EXPECT_EQ(launch(k, 1, 1, args), ARR_E_ARGUMENT);
  EXPECT_EQ(said(), "argument nargs: kernel k takes 12 arguments, got 11");
  EXPECT_EQ(arr_release(out), ARR_OK);
  release(k, m);
}

// In a process of its own, which reads ARR_CHECK when it starts.
TEST_P(Kernels, PlainNumbersTakeTheirParametersTypes) {
  arr_module m = load(
      "extern \"C\" __global__ void k(double* o, int a, unsigned char b, float c, double d, unsigned long "
      "long e) "
      "{\n  o[0] = a;\n  o[1] = b;\n  o[2] = c;\n  o[3] = d;\n  o[4] = e;\n}\n");
  arr_kernel k = kernel(m, "k");
  arr_array out = zeros(ARR_FLOAT64, 5);
  const auto plain = [](auto number) {
    arr_value v;
    if constexpr (std::is_floating_point_v<decltype(number)>)
      arr_value_f64(&v, number);
    else
      arr_value_i64(&v, number);
    arr_value_weak(&v);
    return v;
  };
  ASSERT_EQ(launch(k, 1, 1, {of(out), plain(-3), plain(200), plain(1.5), plain(7), plain(9)}), ARR_OK)
      << said();
  EXPECT_EQ(get<double>(out, 5), (std::vector<double>{-3, 200, 1.5, 7, 9}));

  EXPECT_EQ(launch(k, 1, 1, {of(out), plain(2.5), plain(1), plain(1), plain(1), plain(1)}), ARR_E_DTYPE);
  EXPECT_EQ(said(), "argument args[1]: a plain float64 number, but kernel k takes int32 there");
  EXPECT_EQ(launch(k, 1, 1, {of(out), plain(1), plain(256), plain(1), plain(1), plain(1)}), ARR_E_ARGUMENT);
  EXPECT_EQ(said(), "a plain number: 256 does not fit in uint8");
  EXPECT_EQ(launch(k, 1, 1, {of(out), plain(1), plain(1), plain(1), plain(1), plain(-1)}), ARR_E_ARGUMENT);
  EXPECT_EQ(launch(k, 1, 1, {plain(1.0), plain(1), plain(1), plain(1), plain(1), plain(1)}), ARR_E_DTYPE);
  EXPECT_EQ(said(), "argument args[0]: a float64 number, but kernel k takes float64* there");
  EXPECT_EQ(arr_release(out), ARR_OK);
  release(k, m);
}

// Without ARR_CHECK too: what has the bits of another type is an error, what only has another name is not.
TEST_P(Kernels, ArraysOfAnotherType) {
  arr_module m = load("extern \"C\" __global__ void k(const float* x, unsigned* y, char* z) {}\n");
  arr_kernel k = kernel(m, "k");
  const auto status = [&](arr_dtype x, arr_dtype y, arr_dtype z) {
    arr_array a = zeros(x, 4), b = zeros(y, 4), c = zeros(z, 4);
    const arr_status got = launch(k, 1, 1, {of(a), of(b), of(c)});
    for (arr_array each : {a, b, c}) EXPECT_EQ(arr_release(each), ARR_OK);
    return got;
  };
  EXPECT_EQ(status(ARR_FLOAT32, ARR_INT32, ARR_FLOAT64), ARR_OK) << said();
  EXPECT_EQ(status(ARR_COMPLEX64, ARR_UINT32, ARR_BOOL), ARR_OK) << said();
  EXPECT_EQ(status(ARR_FLOAT64, ARR_UINT32, ARR_UINT8), ARR_E_DTYPE);
  EXPECT_EQ(said(), "argument args[0]: a float64 array, but kernel k takes const float32* there");
  EXPECT_EQ(status(ARR_INT32, ARR_UINT32, ARR_UINT8), ARR_E_DTYPE);
  EXPECT_EQ(status(ARR_FLOAT32, ARR_INT64, ARR_UINT8), ARR_E_DTYPE);
  EXPECT_EQ(status(ARR_FLOAT32, ARR_FLOAT32, ARR_UINT8), ARR_E_DTYPE);
  release(k, m);
}

TEST_P(Kernels, CheckedModeComparesTypes) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto checked = [&] {
    setenv("ARR_CHECK", "1", 1);
    arr_module m = load("extern \"C\" __global__ void k(const float* x, double* y, int n, float s) {}\n");
    arr_kernel k = kernel(m, "k");
    arr_array x = zeros(ARR_FLOAT32, 4), y = zeros(ARR_FLOAT64, 4);
    arr_value wide;
    arr_value_i64(&wide, 4);
    std::string lines;
    const auto line = [&](const std::vector<arr_value>& args) {
      const arr_status status = launch(k, 1, 1, args);
      lines += std::to_string(status) + (status == ARR_OK ? "" : " " + said()) + "; ";
    };
    line({of(x), of(y), of(4), of(1.0F)});
    line({of(y), of(y), of(4), of(1.0F)});
    line({of(x), of(x), of(4), of(1.0F)});
    line({of(x), of(y), of(2.0F), of(1.0F)});
    line({of(x), of(y), of(4), of(7)});
    line({of(x), of(y), wide, of(1.0F)});
    std::fprintf(stderr, "%s\n", lines.c_str());
    std::exit(0);
  };
  EXPECT_EXIT(checked(), testing::ExitedWithCode(0),
              "0; -4 argument args.0.: a float64 array, but kernel k takes const float32. there; "
              "-4 argument args.1.: a float32 array, but kernel k takes float64. there; "
              "-4 argument args.2.: a float32 number, but kernel k takes int32 there; "
              "-4 argument args.3.: an int32 number, but kernel k takes float32 there; "
              "-2 argument args.2.: an int64 number, 8 bytes, but kernel k takes int32, 4 bytes there; ");
}

// By the launch, or by the call that waits for it where the host is late.
TEST_P(Kernels, AFailureIsTold) {
  if (!host()) GTEST_SKIP() << "a failed assertion loses a GPU's context";
  arr_module m = load("extern \"C\" __global__ void k(int* o, int n) {\n  assert(n < 3);\n  *o = n;\n}\n");
  arr_kernel k = kernel(m, "k");
  arr_array out = zeros(ARR_INT32, 1);
  int32_t got = 0;
  arr_status status = launch(k, 1, 1, {of(out), of(3)});
  if (status == ARR_OK) status = arr_get(out, ARR_ORDER_C, &got, 4, nullptr);
  EXPECT_EQ(status, ARR_E_DEVICE);
  EXPECT_EQ(said(), "kernel 'k': assertion 'n < 3' failed in line 2, block (0,0,0), thread (0,0,0)");
  status = launch(k, 1, 1, {of(out), of(3)});
  if (status == ARR_OK) status = arr_set(out, ARR_ORDER_C, &got, 4, nullptr);
  EXPECT_EQ(status, ARR_E_DEVICE);
  EXPECT_EQ(launch(k, 1, 1, {of(out), of(2)}), ARR_OK) << arr_last_error();
  EXPECT_EQ(get<int32_t>(out, 1)[0], 2);
  EXPECT_EQ(arr_release(out), ARR_OK);
  release(k, m);
}

ARR_ON_DEVICES(Kernels);

}  // namespace
}  // namespace arr_test
