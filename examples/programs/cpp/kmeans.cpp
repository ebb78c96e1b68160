// SPDX-License-Identifier: MIT
// k-means: ten rounds of Lloyd's algorithm, from the first three points.
#include "programs.hpp"

arr::array kmeans(const arr::array& points, int k, int rounds) {
  arr::array centres = points(arr::slice(0, k));
  for (int round = 0; round < rounds; ++round) {
    const arr::array distances = arr::square(points(arr::colon, arr::new_axis) - centres).sum(2);
    const arr::array nearest = distances.argmin(1);
    const arr::array members = (nearest == arr::arange(k).reshape({k, 1})).astype(points.dtype());
    centres = arr::matmul(members, points) / members.sum(1, true);
  }
  return centres;
}
