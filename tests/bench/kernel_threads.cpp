// SPDX-License-Identifier: MIT
// Kernels on one and two threads against OpenMP's loops on as many, as a user would write them without CUDA.
#include <oneapi/tbb/global_control.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "kernels.h"

namespace bench {

#ifdef _OPENMP
namespace {

// Milliseconds for which GCC's OpenMP keeps its threads in a loop after their work, and more: 14 on a Xeon.
constexpr int spinning = 30;

[[gnu::noinline]] void openmp_laplace(int count, int nx, int ny, int nz, const float* in, float* out) {
  const int plane = nx * ny;
#pragma omp parallel for num_threads(count) schedule(static)
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
      for (int x = 1; x < nx - 1; x++) {
        const int at = z * plane + y * nx + x;
        out[at] = (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - plane] + in[at + plane]) / 6;
      }
}

// A copy of the memory that the stencil reads and writes, for the bytes per second of the machine.
[[gnu::noinline]] void openmp_copy(int count, const std::vector<float>& in, std::vector<float>& out) {
#pragma omp parallel for num_threads(count) schedule(static)
  for (int part = 0; part < count; part++) {
    const size_t first = in.size() * static_cast<size_t>(part) / static_cast<size_t>(count);
    const size_t last = in.size() * static_cast<size_t>(part + 1) / static_cast<size_t>(count);
    std::memcpy(&out[first], &in[first], (last - first) * sizeof(float));
  }
}

void cube(const hk::Kernel& laplace, int n, int count) {
  const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                          static_cast<size_t>(count));
  const auto un = static_cast<size_t>(n);
  std::vector<float> in(un * un * un), out(in.size()), expected(in.size());
  for (size_t i = 0; i < in.size(); i++) in[i] = static_cast<float>(i * 7919 % 1013) * 0.001f;
  const auto blocks = [&](int each) { return static_cast<uint32_t>((n - 2 + each - 1) / each); };
  const std::string name = "laplace_" + std::to_string(n) + (count == 1 ? "_one_thread" : "_two_threads");
  compare(
      name.c_str(),
      [&] {
        launch(laplace, {{blocks(32), blocks(8), 1}}, {{32, 8, 1}}, n, n, n,
               static_cast<const float*>(in.data()), out.data());
      },
      [&] { openmp_laplace(count, n, n, n, in.data(), expected.data()); }, spinning);
  for (size_t i = 0; i < out.size(); i++)
    check(std::abs(out[i] - expected[i]) <= 1e-4f * (1 + std::abs(expected[i])), "laplace");
  field(name + "_memcpy_ms", best([&] { openmp_copy(count, in, out); }));
}

}  // namespace

// The kernel of kernel_sources.cpp with tiles in shared memory.
void threads() {
  const auto image = hk::compile(shapes_source, {});
  const hk::Kernel laplace = hk::kernel(image, "laplace");
  for (const int n : {130, 258}) {
    if (smoke && n > 130) continue;
    for (const int count : {1, 2}) cube(laplace, n, count);
  }
}
#else
void threads() {}
#endif

}  // namespace bench
