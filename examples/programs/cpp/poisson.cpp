// SPDX-License-Identifier: MIT
// Poisson's equation on an L-shaped domain: a grid without its last quarter, u = 0 around it.
#include "programs.hpp"

using arr::slice, arr::to_end;

arr::array poisson(const arr::array& f) {
  const int64_t n = f.shape()[0];
  const arr::array two{2.0}, minus{-1.0};
  const arr::sparse line = arr::sparse_diags(n, n, {minus, two, minus}, {-1, 0, 1});
  arr::array inside = arr::ones({n, n}, arr::bool_), u = arr::zeros({n * n});
  inside(slice(n / 2, to_end), slice(n / 2, to_end)) = false;
  const arr::array at = arr::flatnonzero(inside);
  const arr::sparse a = arr::sparse_kronsum(line, line, arr::sparse_format::csr)(at)(arr::colon, at);
  u(at) = arr::solve_cg(a, f(inside) / ((n + 1) * (n + 1)), {.rtol = 1e-12}).x;
  return u.reshape({n, n});
}
