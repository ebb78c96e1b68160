// SPDX-License-Identifier: MIT
// kernels [--smoke | --shapes [NAME] | --threads] - raw kernels on the host against plain C++ loops for the
// same result, compiled as this file is (-O3 -march=native), on one thread each and in turns. Prints one JSON
// object; milliseconds are the best of the rounds, `ratio` is kernel / plain. ARR_HOST_CXX and
// ARR_HOST_FISSION choose the compiler as ever.
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "hostcuda/compile/compiler.h"
#include "hostcuda/compile/statistics.h"
#include "kernels.h"

namespace bench {

int rounds = 15;
bool smoke = false;

namespace {

bool first = true;

constexpr const char* source = R"(
extern "C" __global__ void empty() {}
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void saxpy_stride(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void sigmoid(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] / (1.0f + expf(-x[i]));
}
#define TILE 16
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int n) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < n / TILE; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * n + t * TILE + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * n + col] = acc;
}
extern "C" __global__ void reduce_tree(const float* in, float* out, int n) {
  __shared__ float s[256];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  s[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (tid < k) s[tid] += s[tid + k];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
__device__ __forceinline__ float warp_sum(float v) {
  #pragma unroll
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  return v;
}
extern "C" __global__ void reduce_shuffle(const float* in, float* out, int n) {
  __shared__ float s[32];
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5, i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = warp_sum(i < n ? in[i] : 0.0f);
  if (lane == 0) s[w] = v;
  __syncthreads();
  if (w == 0) {
    v = warp_sum(lane < (blockDim.x >> 5) ? s[lane] : 0.0f);
    if (lane == 0) out[blockIdx.x] = v;
  }
}
)";

// About 30 lines, as users write them; made different by its first line.
constexpr const char* typical = R"(
__device__ float clamp_to(float v, float low, float high) { return v < low ? low : v > high ? high : v; }
__device__ int at(int x, int y, int w, int h) {
  x = x < 0 ? 0 : x >= w ? w - 1 : x;
  y = y < 0 ? 0 : y >= h ? h - 1 : y;
  return y * w + x;
}
extern "C" __global__ void blur(const float* in, float* out, const float* weights, int w, int h, int radius,
                                float low, float high) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f, total = 0.0f;
  for (int dy = -radius; dy <= radius; dy++) {
    for (int dx = -radius; dx <= radius; dx++) {
      const float weight = weights[(dy + radius) * (2 * radius + 1) + dx + radius];
      sum += weight * in[at(x + dx, y + dy, w, h)];
      total += weight;
    }
  }
  float result = total > 0.0f ? sum / total : in[y * w + x];
  result = clamp_to(result, low, high);
  if (isnan(result)) result = 0.0f;
  out[y * w + x] = result;
}
)";

}  // namespace

void field(const std::string& name, double value) {
  std::printf("%s\n  \"%s\": %.4f", first ? "{" : ",", name.c_str(), value);
  first = false;
}
void field(const std::string& name, const std::string& text) {
  std::printf("%s\n  \"%s\": \"%s\"", first ? "{" : ",", name.c_str(), text.c_str());
  first = false;
}

double best(const std::function<void()>& f) {
  double min_time = 1e30;
  for (int i = 0; i < rounds; i++) min_time = std::min(min_time, milliseconds(f));
  return min_time;
}

void compare(const char* name, const std::function<void()>& kernel, const std::function<void()>& plain,
             int rest) {
  double k = 1e30, p = 1e30;
  const auto timed = [&](const std::function<void()>& side) {
    if (rest == 0) return milliseconds(side);
    std::this_thread::sleep_for(std::chrono::milliseconds(rest));
    return std::min({milliseconds(side), milliseconds(side), milliseconds(side)});
  };
  kernel();
  plain();
  for (int i = 0; i < rounds; i++) {
    k = std::min(k, timed(kernel));
    p = std::min(p, timed(plain));
  }
  field(std::string(name) + "_ms", k);
  field(std::string(name) + "_plain_ms", p);
  field(std::string(name) + "_ratio", k / p);
}

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "kernels: wrong result of %s\n", what);
  std::exit(1);
}

namespace {

[[gnu::noinline]] void plain_saxpy(int n, float a, const float* x, float* y) {
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
[[gnu::noinline]] void plain_sigmoid(int n, float a, const float* x, float* y) {
  for (int i = 0; i < n; i++) y[i] = a * x[i] / (1.0f + std::exp(-x[i]));
}
[[gnu::noinline]] void plain_matmul(const float* __restrict a, const float* __restrict b, float* __restrict c,
                                    int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) c[i * n + j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}
// One partial sum per 256 elements, in the order a plain loop has.
[[gnu::noinline]] void plain_sums(const float* in, float* out, int blocks) {
  for (int b = 0; b < blocks; b++) {
    float s = 0;
    for (int i = 0; i < 256; i++) s += in[b * 256 + i];
    out[b] = s;
  }
}

void element_wise(const std::shared_ptr<hk::Image>& image, int n) {
  const auto un = static_cast<size_t>(n);
  std::vector<float> x(un), y(un), z(un);
  for (size_t i = 0; i < un; i++)
    x[i] = static_cast<float>(i % 97) * 0.01f, y[i] = z[i] = static_cast<float>(i % 13);
  const uint32_t grid = (static_cast<uint32_t>(n) + 255) / 256;
  const hk::Kernel one = hk::kernel(image, "saxpy"), stride = hk::kernel(image, "saxpy_stride"),
                   sigmoid = hk::kernel(image, "sigmoid");
  const auto same = [&](const char* what) {
    for (size_t i = 0; i < un; i++) check(std::abs(y[i] - z[i]) <= 1e-5f * (1 + std::abs(z[i])), what);
  };
  compare(
      "saxpy",
      [&] {
        launch(one, {{grid, 1, 1}}, {{256, 1, 1}}, n, 0.5f, x.data(), y.data());
      },
      [&] { plain_saxpy(n, 0.5f, x.data(), z.data()); });
  same("saxpy");
  compare(
      "saxpy_stride",
      [&] {
        launch(stride, {{1024, 1, 1}}, {{256, 1, 1}}, n, 0.5f, x.data(), y.data());
      },
      [&] { plain_saxpy(n, 0.5f, x.data(), z.data()); });
  same("saxpy_stride");
  compare(
      "sigmoid",
      [&] {
        launch(sigmoid, {{grid, 1, 1}}, {{256, 1, 1}}, n, 2.0f, x.data(), y.data());
      },
      [&] { plain_sigmoid(n, 2.0f, x.data(), z.data()); });
  same("sigmoid");
}

void matmul(const std::shared_ptr<hk::Image>& image, int n) {
  const auto un = static_cast<size_t>(n);
  std::vector<float> a(un * un), b(un * un), c(un * un), d(un * un);
  for (size_t i = 0; i < un * un; i++)
    a[i] = static_cast<float>(i % 7) - 3, b[i] = static_cast<float>(i % 5) - 2;
  const hk::Kernel k = hk::kernel(image, "matmul");
  const uint32_t tiles = static_cast<uint32_t>(n) / 16;
  compare(
      "matmul",
      [&] {
        launch(k, {{tiles, tiles, 1}}, {{16, 16, 1}}, a.data(), b.data(), c.data(), n);
      },
      [&] { plain_matmul(a.data(), b.data(), d.data(), n); });
  check(c == d, "matmul");
}

void reductions(const std::shared_ptr<hk::Image>& image, int n) {
  std::vector<float> in(static_cast<size_t>(n)), out(in.size() / 256), sums(out.size());
  for (size_t i = 0; i < in.size(); i++) in[i] = static_cast<float>(i % 3);
  const auto blocks = static_cast<uint32_t>(out.size());
  for (const char* name : {"reduce_tree", "reduce_shuffle"}) {
    const hk::Kernel k = hk::kernel(image, name);
    compare(
        name,
        [&] {
          launch(k, {{blocks, 1, 1}}, {{256, 1, 1}}, in.data(), out.data(), n);
        },
        [&] { plain_sums(in.data(), sums.data(), static_cast<int>(blocks)); });
    check(out == sums, name);
  }
}

// The library looks for the pass beside itself, and here that is this program.
void choose_pass() {
#ifdef ARR_BENCH_PASS
  if (setenv("ARR_HOST_FISSION", ARR_BENCH_PASS, 0) != 0) std::perror("kernels: ARR_HOST_FISSION");
#endif
}
// Prints the compiler and the pass that kernels are measured with.
void name_compiler() {
  const hk::Compiler compiler = hk::host_compiler({});
  field("compiler", compiler.path);
  field("pass", compiler.fission.empty() ? "none" : compiler.fission);
}

void compiling() {
  const auto text = [](int i) {
    return "// " + std::to_string(Clock::now().time_since_epoch().count() + i) + typical;
  };
  double cold = 1e30;
  for (int i = 0; i < (smoke ? 1 : 9); i++) {
    const std::string unique = text(i);
    cold = std::min(cold, milliseconds([&] { hk::kernel(hk::compile(unique, {}), "blur"); }));
  }
  field("compile_cold_ms", cold);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  choose_pass();
  if (argc > 2 &&
      std::strcmp(argv[1], "--from-disk") == 0) {  // in a process of its own; argv[2] tells sources apart
    const std::string text = std::string("// ") + argv[2] + typical;
    const double ms = milliseconds([&] { hk::kernel(hk::compile(text, {}), "blur"); });
    std::printf("{\"compile_ms\": %.4f, \"from_disk\": %s}\n", ms,
                hk::counters().disk_hits > 0 ? "true" : "false");
    return 0;
  }
  smoke = argc > 1 && std::strcmp(argv[1], "--smoke") == 0;
  if (smoke) rounds = 1;
  name_compiler();
  const bool on_threads = argc > 1 && std::strcmp(argv[1], "--threads") == 0;
  if (smoke || on_threads) threads();
  if (on_threads) {
    std::printf("\n}\n");
    return 0;
  }
  const oneapi::tbb::global_control one(oneapi::tbb::global_control::max_allowed_parallelism, 1);
  const auto image = hk::compile(source, {});
  const hk::Kernel empty = hk::kernel(image, "empty");
  constexpr int many = 1000;
  field("launch_empty_us", best([&] {
                             for (int i = 0; i < many; i++) launch(empty, {{1, 1, 1}}, {{1, 1, 1}});
                           }) * 1000 /
                               many);
  field("launch_empty_256_us", best([&] {
                                 for (int i = 0; i < many; i++) launch(empty, {{1, 1, 1}}, {{256, 1, 1}});
                               }) * 1000 /
                                   many);
  if (argc > 1 && std::strcmp(argv[1], "--shapes") == 0) {
    shapes(argc > 2 ? argv[2] : "");
    std::printf("\n}\n");
    return 0;
  }
  element_wise(image, smoke ? 10000 : 10000000);
  matmul(image, smoke ? 64 : 512);
  reductions(image, smoke ? 4096 : 1 << 20);
  shapes("");
  compiling();
  std::printf("\n}\n");
}
