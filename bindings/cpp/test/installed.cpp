// SPDX-License-Identifier: MIT
// installed [cuda]: a program of a user against the installed library; with `cuda`, what the device's search
// has found.
#include <arr/arr.hpp>
#include <iostream>

int main(int argc, char**) try {
  const arr::array a =
      arr::ones(3, ARR_FLOAT64, ARR_ORDER_C, argc > 1 ? arr::device::cuda() : arr::device::host());
  std::cout << arr::sum(a).item<double>() << "\n";
} catch (const arr::error& e) {
  std::cout << e.what() << "\n";
}
