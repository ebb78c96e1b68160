// SPDX-License-Identifier: MIT
// The loops of marks of the level in use.
#include <string_view>

#include "host/loops/indexing/marks.h"
#include "host/loops/table.h"

namespace arr::host {

#define ARR_HOST_LEVEL(LEVEL)        \
  namespace LEVEL {                  \
  void fill_marks(MarkLoops& loops); \
  }
#include "host_levels.def"
#undef ARR_HOST_LEVEL

const MarkLoops& mark_loops() {
  static const MarkLoops table = [] {
    MarkLoops t;
    const std::string_view level = loops().level;
#define ARR_HOST_LEVEL(LEVEL) \
  if (level == #LEVEL) LEVEL::fill_marks(t);
#include "host_levels.def"
#undef ARR_HOST_LEVEL
    return t;
  }();
  return table;
}

}  // namespace arr::host
