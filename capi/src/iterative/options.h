// SPDX-License-Identifier: MIT
// Numbers of options, whose 0 selects a default.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace arr::capi {

// A tolerance: 0 selects the default, a negative number 0.
inline double tolerance(double given, double standard, const char* name) {
  if (std::isnan(given)) arr::fail(ARR_E_ARGUMENT, "argument options: ", name, " is nan");
  return given == 0 ? standard : std::max(given, 0.0);
}
inline int64_t count(int64_t given, const char* name) {
  if (given < 0) arr::fail(ARR_E_ARGUMENT, "argument options: ", name, " is ", given, ", expected 0 or more");
  return given;
}
// An iteration limit as the solvers have it: -1 selects the default.
inline int64_t limit(int64_t given) { return given == 0 ? -1 : std::max<int64_t>(given, 0); }

}  // namespace arr::capi
