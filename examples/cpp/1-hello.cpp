// SPDX-License-Identifier: MIT
// 1-hello: create arrays on the device that ARR_DEVICE picks, compute, reduce, print.
#include <arr/arr.hpp>
#include <iostream>

int main() {
  const arr::device device = arr::device_select();
  const arr::array line = arr::arange(0, 12, 1, ARR_FLOAT32, device);
  const arr::array a = line.reshape({3, 4});

  const arr::array b = arr::sqrt(a);
  arr::array c = a * 0.5;  // a plain number takes the type of the array: c is float32
  c += b;
  const arr::array sums = arr::sum(c, 1);

  std::cout << "c =\n" << c << "\nsums of rows =\n" << sums << "\n";
  std::cout << "every other column of the last row: " << c(-1, arr::every(2)) << "\n";

  const auto wave = arr::fuse([](auto x, auto y) { return sin(x) + 0.5 * y; });  // one pass over memory
  std::cout << "wave =\n" << wave(a, b) << "\n";

  try {  // a mistake is an exception; everything stays usable
    sums + line;
  } catch (const arr::error& e) {
    std::cout << "as expected: " << e.what() << "\n";
  }
}
