// SPDX-License-Identifier: MIT
// A program whose arrays gdb prints.
#include <arr/arr.hpp>

extern "C" int arrays_are_made(int status) { return status; }

int main() {
  arr::array data = arr::arange(3.0);
  const arr::selection part = data(1);
  return arrays_are_made(part.ndim());
}
