// SPDX-License-Identifier: MIT
// An ensemble of Lorenz systems by the classical Runge-Kutta method: the mean state at the end.
#include "programs.hpp"

static arr::array lorenz(const arr::array& state) {
  const arr::array x = state(0), y = state(1), z = state(2);
  return arr::stack({10 * (y - x), x * (28 - z) - y, x * y - 8.0 / 3 * z});
}

arr::array rk4(arr::array state, double h, int steps) {
  for (int step = 0; step < steps; ++step) {
    const arr::array k1 = lorenz(state);
    const arr::array k2 = lorenz(state + h / 2 * k1);
    const arr::array k3 = lorenz(state + h / 2 * k2);
    const arr::array k4 = lorenz(state + h * k3);
    state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return state.mean(1);
}
