// SPDX-License-Identifier: MIT
// Selects the ordered reductions of the instruction-set level in use.
#include <string_view>

#include "host/loops/reduce/ordered.h"

namespace arr::host {

#define ARR_HOST_LEVEL(LEVEL)                   \
  namespace LEVEL {                             \
  void fill_ordered(OrderedReduceTable& table); \
  }
#include "host_levels.def"
#undef ARR_HOST_LEVEL

namespace {

const OrderedReduceTable* choose() {
  static OrderedReduceTable table;
  const std::string_view level = loops().level;
#define ARR_HOST_LEVEL(LEVEL) \
  if (level == #LEVEL) LEVEL::fill_ordered(table);
#include "host_levels.def"
#undef ARR_HOST_LEVEL
  return &table;
}

}  // namespace

OrderedReduceFn ordered_reduce_loop(int32_t op, DType d) {
  static const OrderedReduceTable* const table = choose();
  return table->op[op][static_cast<size_t>(d)];
}

}  // namespace arr::host
