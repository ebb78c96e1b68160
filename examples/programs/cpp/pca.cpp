// SPDX-License-Identifier: MIT
// Principal components of a table: their shares of the variance, and the largest score of each.
#include "programs.hpp"

arr::array pca(const arr::array& table, int components) {
  const arr::array centred = table - table.mean(0);
  const auto [u, s, vh] = arr::svd(centred, false);
  const arr::array scores = arr::matmul(centred, vh(arr::slice(0, components)).T());
  const arr::array share = s * s / arr::sum(s * s);
  return arr::stack({share(arr::slice(0, components)), arr::max_abs(scores, 0)});
}
