// SPDX-License-Identifier: MIT
// k-means: ten rounds of Lloyd's algorithm, from the first three points.
#include "programs.hpp"

arr::array kmeans(const arr::array& points) {
  const int k = 3, rounds = 10;
  arr::array centres = points(arr::slice(0, k));
  for (int round = 0; round < rounds; ++round) {
    const arr::array distances = arr::sum(arr::square(points(arr::colon, arr::new_axis) - centres), 2);
    const arr::array nearest = arr::argmin(distances, 1);
    const arr::array members = (nearest == arr::arange(k).reshape({k, 1})).astype<double>();
    centres = arr::matmul(members, points) / arr::sum(members, 1, true);
  }
  return centres;
}
