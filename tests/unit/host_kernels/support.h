// SPDX-License-Identifier: MIT
// Short ways to compile and launch kernels in these tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "hostcuda/compile/statistics.h"
#include "hostcuda/host_kernels.h"

namespace arr::host_kernels::test {

constexpr const char* saxpy_source = R"(
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
})";

// Returns whether these tests run with the loop-fission pass, and so with clang.
inline bool by_pass() {
  const char* path = std::getenv("ARR_HOST_FISSION");
  return path != nullptr && path[0] == '/';
}

struct Size {
  uint32_t v[3];
  Size(uint32_t x = 1, uint32_t y = 1, uint32_t z = 1) : v{x, y, z} {}  // NOLINT: as dim3
};

inline Kernel make(const std::string& source, const std::string& name, const Options& options = {}) {
  return kernel(compile(source, options), name);
}

// Launches with arguments given by value: their types must be the parameters' types.
template <class... A>
void run_shared(const Kernel& k, Size grid, Size block, uint64_t shared_bytes, A... a) {
  void* args[sizeof...(A) + 1] = {&a..., nullptr};
  launch(k, grid.v, block.v, shared_bytes, args, static_cast<int>(sizeof...(A)));
}
template <class... A>
void run(const Kernel& k, Size grid, Size block, A... a) {
  run_shared(k, grid, block, 0, a...);
}

// The text of the Error that `f` throws, and its status; "" when it throws none.
struct Caught {
  arr_status status = 0;
  std::string text, log;
};
template <class F>
Caught catch_error(F f) {
  try {
    f();
  } catch (const CompileError& e) {
    return {e.status(), e.text(), e.log};
  } catch (const Error& e) {
    return {e.status(), e.text(), ""};
  }
  return {};
}

}  // namespace arr::host_kernels::test
