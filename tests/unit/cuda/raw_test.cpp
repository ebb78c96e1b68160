// SPDX-License-Identifier: MIT
// User-written kernels over the fake: compiling, names, parameters, launch checks.
#include "support.h"

namespace arr::cuda_test {
namespace {

constexpr const char* source = R"(
extern "C" __global__ void scale(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
template <class T, int Step>
__global__ void add_step(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += T(Step);
}
__global__ void reverse(float* x, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[n - 1 - threadIdx.x];
}
)";

class Raw : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    std::string log;
    ARR_WORKS(create_module(source, {}, &module_, &log, &error));
  }
  void TearDown() override {
    BackendError e;
    if (module_ == nullptr) return;
    EXPECT_EQ(cuda().kernels->module_destroy(0, module_, &e), ARR_OK);
  }
  void* kernel(const char* name) {
    void* k = nullptr;
    BackendError e;
    EXPECT_EQ(cuda().kernels->module_kernel(0, module_, name, &k, &e), ARR_OK) << name << ": " << e.text;
    return k;
  }
  static int32_t launch(void* k, int64_t blocks, int32_t threads, int64_t shared, std::vector<void*> args,
                        std::string* why = nullptr) {
    const LaunchConfig config{.grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .shared_bytes = shared};
    BackendError e;
    int32_t r =
        cuda().kernels->launch(0, k, &config, static_cast<int32_t>(args.size()), args.data(), nullptr, &e);
    if (why != nullptr) *why = e.text;
    return r;
  }
  void* module_ = nullptr;
};

std::vector<float> ramp(size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 0.0F);
  return v;
}

TEST_F(Raw, RunsKernelsByEveryKindOfName) {
  Memory m(bytes_of(ramp(100)));
  void* data = m.data();
  float by = 2;
  int n = 100;
  EXPECT_EQ(launch(kernel("scale"), 1, 128, 0, {&data, &by, &n}), ARR_OK);
  EXPECT_EQ(launch(kernel("add_step<float, 5>"), 1, 128, 0, {&data, &n}), ARR_OK);
  EXPECT_EQ(launch(kernel("reverse"), 1, 100, 400, {&data, &n}), ARR_OK);
  std::vector<float> out = values_of<float>(m.get());
  for (size_t i = 0; i < 100; ++i) ASSERT_EQ(out[i], static_cast<float>(99 - i) * 2 + 5);
}

TEST_F(Raw, ANameIsLookedUpOnce) {
  void* first = kernel("add_step<double, 1>");
  int64_t compiled = arr_fake_cuda_calls("nvrtcCompileProgram");
  EXPECT_EQ(kernel("add_step<double, 1>"), first);
  EXPECT_EQ(arr_fake_cuda_calls("nvrtcCompileProgram"), compiled);
}

TEST_F(Raw, TellsTheParameters) {
  std::vector<KernelParam> params;
  int32_t known = 0;
  ARR_WORKS(cuda().kernels->params(0, kernel("scale"), &params, &known, &error));
  EXPECT_EQ(known, 1);
  ASSERT_EQ(params.size(), 3U);
  EXPECT_EQ(params[0].bytes, 8);
  EXPECT_EQ(params[1].bytes, 4);
  EXPECT_EQ(params[2].bytes, 4);
  std::string why;
  int n = 0;
  EXPECT_EQ(launch(kernel("scale"), 1, 1, 0, {&n}, &why), ARR_E_ARGUMENT);
  EXPECT_EQ(why, "argument nargs: scale has 3 parameters, got 1");
}

TEST_F(Raw, RefusesWhatNoDeviceCanLaunch) {
  Memory m(400);
  void* data = m.data();
  int n = 100;
  struct {
    int64_t blocks;
    int32_t threads;
    int64_t shared;
    const char* why;
  } const cases[] = {
      {0, 1, 0, "argument grid: 0 blocks in x, must be in 1..2147483647"},
      {int64_t{1} << 40, 1, 0, "argument grid: 1099511627776 blocks in x, must be in 1..2147483647"},
      {1, 0, 0, "argument block: 0 threads in x, must be in 1..1024"},
      {1, 2000, 0, "argument block: 2000 threads in x, must be in 1..1024"},
      {1, 100, 300000, "argument shared_bytes: 300000 bytes, reverse can have 232448"},
      {1, 100, -1, "argument shared_bytes: -1 bytes, reverse can have 232448"},
  };
  for (const auto& c : cases) {
    std::string why;
    EXPECT_EQ(launch(kernel("reverse"), c.blocks, c.threads, c.shared, {&data, &n}, &why), ARR_E_ARGUMENT);
    EXPECT_EQ(why, c.why);
  }
  const LaunchConfig wide{.block = {64, 64, 1}};
  void* args[] = {&data, &n};
  BackendError e;
  EXPECT_EQ(cuda().kernels->launch(0, kernel("reverse"), &wide, 2, args, nullptr, &e), ARR_E_ARGUMENT);
  EXPECT_EQ(e.text, "argument block: 4096 threads, reverse can have 1024");
}

TEST_F(Raw, OptsInToMoreSharedMemory) {
  Memory m(bytes_of(ramp(100)));
  void* data = m.data();
  int n = 100;
  EXPECT_EQ(launch(kernel("reverse"), 1, 100, 40000, {&data, &n}), ARR_OK);
  EXPECT_EQ(arr_fake_cuda_calls("cuFuncSetAttribute"), 0);
  EXPECT_EQ(launch(kernel("reverse"), 1, 100, 100000, {&data, &n}), ARR_OK);
  EXPECT_EQ(launch(kernel("reverse"), 1, 100, 90000, {&data, &n}), ARR_OK);
  EXPECT_EQ(arr_fake_cuda_calls("cuFuncSetAttribute"), 1);
}

TEST_F(Raw, ReportsWhatTheCompilerSays) {
  void* m = nullptr;
  std::string log;
  BackendError e;
  const char* wrong = "extern \"C\" __global__ void k(float* x) {\n  x[0] = unknown_name;\n}\n";
  EXPECT_EQ(create_module(wrong, {}, &m, &log, &e), ARR_E_COMPILE);
  EXPECT_EQ(m, nullptr);
  EXPECT_NE(e.text.find("unknown_name"), std::string::npos) << e.text;
  EXPECT_EQ(e.text.find('\n'), std::string::npos);
  EXPECT_NE(log.find("unknown_name"), std::string::npos);
  EXPECT_EQ(cuda().kernels->module_kernel(0, module_, "no_such_kernel", &m, &e), ARR_E_ARGUMENT);
  EXPECT_NE(e.text.find("no_such_kernel"), std::string::npos) << e.text;
}

TEST_F(Raw, TakesOptions) {
  void *m = nullptr, *k = nullptr;
  std::string log;
  const char* text = "extern \"C\" __global__ void k(int* x) { *x = N; }";
  ARR_WORKS(create_module(text, {"-DN=42"}, &m, &log, &error));
  ARR_WORKS(cuda().kernels->module_kernel(0, m, "k", &k, &error));
  Memory out(4);
  void* data = out.data();
  EXPECT_EQ(launch(k, 1, 1, 0, {&data}), ARR_OK);
  EXPECT_EQ(values_of<int32_t>(out.get())[0], 42);
  // Unloaded later, when something waits for the device.
  int64_t modules = arr_fake_cuda_live("modules");
  ARR_WORKS(cuda().kernels->module_destroy(0, m, &error));
  EXPECT_EQ(arr_fake_cuda_live("modules"), modules);
  ARR_WORKS(cuda().device->sync(0, &error));
  EXPECT_EQ(arr_fake_cuda_live("modules"), modules - 1);
}

}  // namespace
}  // namespace arr::cuda_test
