// SPDX-License-Identifier: MIT
// Principal components of a table: their shares of the variance, and the largest score of each.
#include "programs.hpp"

arr::array pca(const arr::array& table) {
  const arr::array centred = table - arr::mean(table, 0);
  const auto [u, s, vh] = arr::svd(centred);
  const arr::array scores = arr::matmul(centred, arr::array(vh(arr::slice(0, 2))).T());
  const arr::array share = s * s / arr::sum(s * s);
  return arr::stack({share(arr::slice(0, 2)), arr::max_abs(scores, 0)}, 0);
}
