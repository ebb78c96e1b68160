// SPDX-License-Identifier: MIT
// Conjugate gradients for the five-point Laplacian of a grid.
#include "programs.hpp"

using arr::colon, arr::slice, arr::to_end;

static arr::array laplace(const arr::array& p) {
  arr::array q = 4 * p;
  q(slice(1, to_end)) -= p(slice(0, -1));
  q(slice(0, -1)) -= p(slice(1, to_end));
  q(colon, slice(1, to_end)) -= p(colon, slice(0, -1));
  q(colon, slice(0, -1)) -= p(colon, slice(1, to_end));
  return q;
}

arr::array cg(const arr::array& b, double tolerance) {
  arr::array x = arr::zeros_like(b), r = b.copy(), p = b;
  double rho = arr::vdot(r, r).item<double>();
  while (rho > tolerance * tolerance) {
    const arr::array q = laplace(p);
    const double alpha = rho / arr::vdot(p, q).item<double>(), previous = rho;
    x += alpha * p;
    r -= alpha * q;
    rho = arr::vdot(r, r).item<double>();
    p = r + rho / previous * p;
  }
  return x;
}
