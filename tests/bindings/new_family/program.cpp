// SPDX-License-Identifier: MIT
// program.cpp: calls the function of the family that new_family.sh makes.
#include <arr/arr.hpp>
#include <iostream>

int main() {
  const arr::array x = arr::arange(0, 4, 1, ARR_FLOAT32);
  const arr::array y = arr::twice(x);
  std::cout << "C++: " << y << "\n";
  return arr::sum(y).item<double>() == 12.0 ? 0 : 1;
}
