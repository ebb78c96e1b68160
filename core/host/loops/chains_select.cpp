// SPDX-License-Identifier: MIT
// The chains of the level in use.
#include <string_view>

#include "host/loops/chains.h"

namespace arr::host {

#define ARR_HOST_LEVEL(LEVEL)          \
  namespace LEVEL {                    \
  void fill_chains(ChainTable& table); \
  }
#include "host_levels.def"
#undef ARR_HOST_LEVEL

namespace {

const ChainTable* choose() {
  static ChainTable table;
  const std::string_view level = loops().level;
#define ARR_HOST_LEVEL(LEVEL) \
  if (level == #LEVEL) LEVEL::fill_chains(table);
#include "host_levels.def"
#undef ARR_HOST_LEVEL
  return &table;
}

}  // namespace

ChainFn chain_loop(int32_t op, DType d) {
  static const ChainTable* const table = choose();
  return table->op[op][static_cast<size_t>(d)];
}

}  // namespace arr::host
