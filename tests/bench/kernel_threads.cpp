// SPDX-License-Identifier: MIT
// Kernels on two threads against OpenMP's loops on two, as a user would write them without CUDA.
#include <oneapi/tbb/global_control.h>

#include <cmath>
#include <vector>

#include "kernels.h"

namespace bench {

#ifdef _OPENMP
namespace {

constexpr int count = 2;

[[gnu::noinline]] void openmp_laplace(int nx, int ny, int nz, const float* in, float* out) {
  const int plane = nx * ny;
#pragma omp parallel for num_threads(count) schedule(static)
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
      for (int x = 1; x < nx - 1; x++) {
        const int at = z * plane + y * nx + x;
        out[at] = (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - plane] + in[at + plane]) / 6;
      }
}

}  // namespace

// The kernel of kernel_sources.cpp with tiles in shared memory.
void threads() {
  const oneapi::tbb::global_control two(oneapi::tbb::global_control::max_allowed_parallelism, count);
  const auto image = hk::compile(shapes_source, {});
  const hk::Kernel laplace = hk::kernel(image, "laplace");
  for (const int n : {130, 258}) {
    if (smoke && n > 130) continue;
    const auto un = static_cast<size_t>(n);
    std::vector<float> in(un * un * un), out(in.size()), expected(in.size());
    for (size_t i = 0; i < in.size(); i++) in[i] = static_cast<float>(i * 7919 % 1013) * 0.001f;
    const auto blocks = [&](int each) { return static_cast<uint32_t>((n - 2 + each - 1) / each); };
    compare(("laplace_" + std::to_string(n) + "_two_threads").c_str(),
            [&] {
              launch(laplace, {{blocks(32), blocks(8), 1}}, {{32, 8, 1}}, n, n, n,
                     static_cast<const float*>(in.data()), out.data());
            },
            [&] { openmp_laplace(n, n, n, in.data(), expected.data()); });
    for (size_t i = 0; i < out.size(); i++)
      check(std::abs(out[i] - expected[i]) <= 1e-4f * (1 + std::abs(expected[i])), "laplace");
  }
}
#else
void threads() {}
#endif

}  // namespace bench
