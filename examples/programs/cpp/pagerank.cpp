// SPDX-License-Identifier: MIT
// PageRank of a graph of n nodes, whose edges lead from the nodes of the first row to those of the second.
#include "programs.hpp"

arr::array pagerank(const arr::array& edges, int n, double damping, int rounds) {
  const arr::array ends = edges.astype(arr::int64), source = ends(0), target = ends(1);
  const arr::sparse links =
      arr::sparse_coo(n, n, arr::ones_like(source, arr::float64), target, source).to(arr::sparse_format::csr);
  const arr::array degree = links.sum(0);
  arr::array rank = arr::full({n}, 1.0 / n);
  for (int round = 0; round < rounds; ++round) {
    const arr::array lost = arr::where(degree == 0, rank, 0.0).sum();
    rank = damping * (links * (rank / arr::maximum(degree, 1.0)) + lost / n) + (1 - damping) / n;
  }
  return rank;
}
