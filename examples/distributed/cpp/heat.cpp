// SPDX-License-Identifier: MIT
// Heat equation: explicit steps on a square, which is divided among the ranks; the temperature is 0 around
// it.
#include "distributed.hpp"

double heat(const arr::comm& comm, int64_t n, int steps) {
  const auto rows = arr::decomposition::blocks(comm, {n, n});
  const arr::dist start = arr::dist::random(rows, arr::generator(1), ARR_DISTRIBUTION_UNIFORM);
  arr::dist u = arr::dist::zeros(rows, ARR_FLOAT64, {1, 1}),
            next = arr::dist::zeros(rows, ARR_FLOAT64, {1, 1});
  u.assign(start);
  for (int step = 0; step < steps; ++step) {
    u.exchange();
    arr::evaluate_into(next.part(), "u + 0.2 * (up + down + left + right - 4 * u)",
                       {u.part(), u.part({-1, 0}), u.part({1, 0}), u.part({0, -1}), u.part({0, 1})});
    std::swap(u, next);
  }
  return u.max().item<double>();
}
