// SPDX-License-Identifier: MIT
// installed [cuda | kernel]: a program of a user against the installed library; with `cuda`, what the
// device's search has found; with `kernel`, the result of a raw kernel on the host.
#include <arr/arr.hpp>
#include <iostream>
#include <string_view>

int main(int argc, char** argv) try {
  if (argc > 1 && argv[1] == std::string_view("kernel")) {
    const arr::array out = arr::zeros(1, ARR_INT32);
    arr::compile("extern \"C\" __global__ void k(int* out) { *out = 42; }")["k"].launch(1, 1, out);
    std::cout << out.item<int64_t>() << "\n";
    return 0;
  }
  const arr::array a =
      arr::ones(3, ARR_FLOAT64, ARR_ORDER_C, argc > 1 ? arr::device::cuda() : arr::device::host());
  std::cout << arr::sum(a).item<double>() << "\n";
} catch (const arr::error& e) {
  std::cout << e.what() << "\n";
}
