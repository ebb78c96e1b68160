// SPDX-License-Identifier: MIT
// The loops of sorting of the level in use.
#include <string_view>

#include "host/loops/sorting/sorting.h"
#include "host/loops/table.h"

namespace arr::host {

#define ARR_HOST_LEVEL(LEVEL)             \
  namespace LEVEL {                       \
  void fill_sorting(SortingLoops& loops); \
  }
#include "host_levels.def"
#undef ARR_HOST_LEVEL

const SortingLoops& sorting_loops() {
  static const SortingLoops table = [] {
    SortingLoops t;
    const std::string_view level = loops().level;
#define ARR_HOST_LEVEL(LEVEL) \
  if (level == #LEVEL) LEVEL::fill_sorting(t);
#include "host_levels.def"
#undef ARR_HOST_LEVEL
    return t;
  }();
  return table;
}

}  // namespace arr::host
