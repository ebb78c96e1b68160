// SPDX-License-Identifier: MIT
// Heat equation: explicit steps on the inner points of a field.
#include "programs.hpp"

arr::array heat(const arr::array& field, double c, int steps) {
  const arr::index inner = arr::slice(1, -1), before = arr::slice(0, -2), after = arr::slice(2, arr::to_end);
  arr::array u = field.copy();
  for (int step = 0; step < steps; ++step) {
    const arr::array around = u(after, inner) + u(before, inner) + u(inner, after) + u(inner, before);
    u(inner, inner) += c * (around - 4 * u(inner, inner));
  }
  return u;
}
