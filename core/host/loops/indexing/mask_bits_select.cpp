// SPDX-License-Identifier: MIT
// The loops of mask bits of the level in use.
#include <string_view>

#include "host/loops/indexing/mask_bits.h"
#include "host/loops/table.h"

namespace arr::host {

#define ARR_HOST_LEVEL(LEVEL)             \
  namespace LEVEL {                       \
  void fill_mask_loops(MaskLoops& loops); \
  }
#include "host_levels.def"
#undef ARR_HOST_LEVEL

const MaskLoops& mask_loops() {
  static const MaskLoops table = [] {
    MaskLoops t;
    const std::string_view level = loops().level;
#define ARR_HOST_LEVEL(LEVEL) \
  if (level == #LEVEL) LEVEL::fill_mask_loops(t);
#include "host_levels.def"
#undef ARR_HOST_LEVEL
    return t;
  }();
  return table;
}

}  // namespace arr::host
