// SPDX-License-Identifier: MIT
// The setting of a fragment in C++ of the guides: a, b, x and y are (4, 4) of float64, positive definite.
#include <arr/arr.hpp>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

#define NAMES                                                                                            \
  [[maybe_unused]] arr::array a = arr::eye(4, 4, 0) * 5 + arr::ones({4, 4}), b = a.copy(), x = a.copy(), \
                              y = a.copy();
