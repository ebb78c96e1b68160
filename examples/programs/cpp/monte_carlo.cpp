// SPDX-License-Identifier: MIT
// Monte Carlo: prices of Asian options by geometric Brownian motion, and their standard errors.
#include "programs.hpp"

arr::array monte_carlo(const arr::array& strikes, int paths, int steps, double start, double rate,
                       double sigma) {
  const arr::array both = arr::generator_create_of(ARR_PCG64, {1}).random({2, paths, steps});
  const arr::array u = both(0), v = both(1);
  const arr::array normal = arr::sqrt(-2 * arr::log1p(-u)) * arr::cos(2 * ARR_PI * v);
  const arr::array moves = (rate - sigma * sigma / 2) / steps + sigma * std::sqrt(1.0 / steps) * normal;
  const arr::array mean = start * arr::exp(moves.cumsum(1)).mean(1);
  const arr::array payoffs = std::exp(-rate) * arr::maximum(mean - strikes(arr::colon, arr::new_axis), 0);
  return arr::stack({payoffs.mean(1), payoffs.std(1, false, 1) / std::sqrt(paths)});
}
