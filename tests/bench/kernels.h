// SPDX-License-Identifier: MIT
// Measurement and output of the benchmark of raw kernels.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "hostcuda/host_kernels.h"

namespace bench {

namespace hk = arr::host_kernels;

using Clock = std::chrono::steady_clock;

template <class F>
double milliseconds(F f) {
  const auto start = Clock::now();
  f();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

extern int rounds;
extern bool smoke;

// Prints a field of the JSON object.
void field(const std::string& name, double value);
void field(const std::string& name, const std::string& text);
// Returns the least milliseconds of the rounds.
double best(const std::function<void()>& f);
// Prints both times and their ratio. They run in turns, so that what else the machine does falls on both.
// Before each the program rests for so many milliseconds, for threads of the other that wait for more work in
// a loop; then it runs three times, so that one time at least is not that of threads which wake up.
void compare(const char* name, const std::function<void()>& kernel, const std::function<void()>& plain,
             int rest = 0);
// Ends the program if a result is wrong.
void check(bool good, const char* what);

struct Size {
  uint32_t v[3];
};

template <class... A>
void launch(const hk::Kernel& k, Size grid, Size block, A... a) {
  void* args[sizeof...(A) + 1] = {&a..., nullptr};
  hk::launch(k, grid.v, block.v, 0, args, static_cast<int>(sizeof...(A)));
}

// Kernels of other shapes than a loop over elements, with and without the pass. See kernel_shapes.cpp.
// `name` is that of the only one to be measured; "": all.
void shapes(const std::string& name);
extern const char* const shapes_source;

// Kernels on two threads against OpenMP; nothing where the compiler has none. See kernel_threads.cpp.
void threads();

}  // namespace bench
