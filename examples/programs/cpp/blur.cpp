// SPDX-License-Identifier: MIT
// Gaussian blur of an image of several channels, along its columns and rows.
#include "programs.hpp"

arr::array blur(const arr::array& image, int radius, double sigma) {
  arr::array weights = arr::exp(-0.5 * arr::square(arr::arange(-radius, radius + 1) / sigma));
  weights /= weights.sum();
  const arr::array padded = arr::pad(image, {radius, radius, radius, radius, 0, 0}, ARR_PAD_EDGE);
  const arr::array rows = arr::matmul(arr::sliding_window_view(padded, weights.size(), 0), weights);
  return arr::matmul(arr::sliding_window_view(rows, weights.size(), 1), weights);
}
