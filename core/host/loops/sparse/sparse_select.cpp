// SPDX-License-Identifier: MIT
// Selects the loops over sparse matrices of the instruction-set level in use.
#include <string_view>

#include "host/loops/sparse/sparse.h"
#include "host/loops/table.h"

namespace arr::host {

#define ARR_HOST_LEVEL(LEVEL) ARR_SPARSE_FILLERS(LEVEL)
#include "host_levels.def"
#undef ARR_HOST_LEVEL

const SparseLoops& sparse_loops() {
  static const SparseLoops table = [] {
    SparseLoops t;
    const std::string_view level = loops().level;
#define ARR_HOST_LEVEL(LEVEL) \
  if (level == #LEVEL) {      \
    LEVEL::fill_combine(t);   \
    LEVEL::fill_find(t);      \
    LEVEL::fill_products(t);  \
    LEVEL::fill_semirings(t); \
  }
#include "host_levels.def"
#undef ARR_HOST_LEVEL
    return t;
  }();
  return table;
}

}  // namespace arr::host
