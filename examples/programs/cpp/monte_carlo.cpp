// SPDX-License-Identifier: MIT
// Monte Carlo: prices of Asian options by geometric Brownian motion, and their standard errors.
#include <cmath>

#include "programs.hpp"

arr::array monte_carlo(const arr::array& strikes) {
  const int paths = 1000, steps = 16;
  const double start = 100, rate = 0.05, sigma = 0.2, pi = std::acos(-1);
  const arr::array both = arr::random_random({2, paths, steps}, arr::generator_create_of(ARR_PCG64, {1}));
  const arr::array u = both(0), v = both(1);
  const arr::array normal = arr::sqrt(-2 * arr::log1p(-u)) * arr::cos(2 * pi * v);
  const arr::array moves = (rate - sigma * sigma / 2) / steps + sigma * std::sqrt(1.0 / steps) * normal;
  const arr::array mean = start * arr::mean(arr::exp(arr::cumsum(moves, 1)), 1);
  const arr::array payoffs = std::exp(-rate) * arr::maximum(mean - strikes(arr::colon, arr::new_axis), 0);
  return arr::stack({arr::mean(payoffs, 1), arr::std(payoffs, 1, 1) / std::sqrt(paths)}, 0);
}
