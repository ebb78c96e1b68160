// SPDX-License-Identifier: MIT
// Selects the fused loops of the instruction-set level in use.
#include <string_view>

#include "host/loops/elementwise/fused_pairs.h"

namespace arr::host {

#define ARR_HOST_LEVEL(LEVEL)        \
  namespace LEVEL {                  \
  void fill_pairs(PairTable& table); \
  }
#include "host_levels.def"
#undef ARR_HOST_LEVEL

namespace {

const PairTable& chosen() {
  static const PairTable table = [] {
    PairTable t;
    const std::string_view level = loops().level;
#define ARR_HOST_LEVEL(LEVEL) \
  if (level == #LEVEL) LEVEL::fill_pairs(t);
#include "host_levels.def"
#undef ARR_HOST_LEVEL
    return t;
  }();
  return table;
}

#define ARR_PAIR_NUMBER(name) op::name,
constexpr int32_t outer_ops[] = {ARR_PAIR_OUTER(ARR_PAIR_NUMBER)};
constexpr int32_t inner_ops[] = {ARR_PAIR_INNER(ARR_PAIR_NUMBER)};
#undef ARR_PAIR_NUMBER

}  // namespace

LoopFn pair_loop(int32_t outer, int32_t inner, int operand, DType d) {
  if (d != DType::float32_ && d != DType::float64_) return nullptr;
  const auto& loop = d == DType::float32_ ? chosen().float32 : chosen().float64;
  for (int i = 0; i < PairTable::outer; ++i) {
    if (outer_ops[i] != outer) continue;
    for (int j = 0; j < PairTable::inner; ++j) {
      if (inner_ops[j] == inner) return loop[i][j][operand];
    }
  }
  return nullptr;
}

}  // namespace arr::host
