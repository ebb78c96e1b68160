// SPDX-License-Identifier: MIT
// Selects the loops for small matrices of the instruction-set level in use.
#include <string_view>

#include "host/loops/linalg/small_matrices.h"
#include "host/loops/table.h"

namespace arr::host {

#define ARR_HOST_LEVEL(LEVEL) ARR_SMALL_FILLERS(LEVEL)
#include "host_levels.def"
#undef ARR_HOST_LEVEL

namespace {

const SmallTable& chosen() {
  static const SmallTable table = [] {
    SmallTable t;
    const std::string_view level = loops().level;
#define ARR_HOST_LEVEL(LEVEL)      \
  if (level == #LEVEL) {           \
    LEVEL::fill_small_solve(t);    \
    LEVEL::fill_small_products(t); \
    LEVEL::fill_small_stacks(t);   \
    LEVEL::fill_tridiagonal(t);    \
  }
#include "host_levels.def"
#undef ARR_HOST_LEVEL
    return t;
  }();
  return table;
}

}  // namespace

template <>
const SmallLoops<float>& small_loops() {
  return chosen().float32;
}
template <>
const SmallLoops<double>& small_loops() {
  return chosen().float64;
}

}  // namespace arr::host
