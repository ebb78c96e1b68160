// SPDX-License-Identifier: MIT
// Poisson's equation on a square by conjugate gradients; the rows of the matrix are divided among the ranks.
#include "distributed.hpp"

double cg(const arr::comm& comm, int64_t n, int steps) {
  const auto rows = arr::decomposition::blocks(comm, {n, n});
  const arr::array mine = rows.indices(comm.rank(), 0), two{2.0}, minus{-1.0};
  const arr::sparse line = arr::sparse_diags(n, n, {minus, two, minus}, {-1, 0, 1}),
                    eye = arr::sparse_eye(n, n, 0, ARR_FLOAT64);
  const auto csr = arr::sparse_format::csr;
  const arr::dist_sparse a(comm,
                           arr::sparse_kron(eye(mine), line, csr) + arr::sparse_kron(line(mine), eye, csr));
  const arr::dist b = arr::dist::random(rows, arr::generator(1), ARR_DISTRIBUTION_UNIFORM);
  const arr::array x = arr::solve_cg(a.op(), b.part().reshape({-1}), {.rtol = 1e-12, .maxiter = steps}).x;
  return arr::dist::from_part(rows, x.reshape({-1, n})).max().item<double>();
}
