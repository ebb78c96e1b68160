// SPDX-License-Identifier: MIT
// Orders in which the elimination of columns of a symmetric matrix fills few elements.
#pragma once

#include <cstdint>
#include <vector>

namespace arr::host {

// The neighbours of each of n columns: the indices of the other elements of a symmetric pattern.
struct Neighbours {
  int32_t n = 0;
  std::vector<int64_t> pointers;  // n + 1
  std::vector<int32_t> indices;
};

// The columns in the order of elimination.
std::vector<int32_t> minimum_degree(const Neighbours& a);

}  // namespace arr::host
