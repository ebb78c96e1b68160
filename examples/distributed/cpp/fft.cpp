// SPDX-License-Identifier: MIT
// Fourier transforms of a cube, whose planes are divided among the ranks: forwards and back. The largest
// error.
#include "distributed.hpp"

double fft(const arr::comm& comm, int64_t n, int steps) {
  const auto planes = arr::decomposition::blocks(comm, {n, n, n});
  const arr::dist cube = arr::dist::random(planes, arr::generator(1), ARR_DISTRIBUTION_NORMAL);
  arr::dist back;
  for (int step = 0; step < steps; ++step) back = cube.fftn({}, false).ifftn({}, false);
  return arr::dist::evaluate("abs(a - b)", {&cube, &back}).max().item<double>();
}
