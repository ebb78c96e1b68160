// SPDX-License-Identifier: MIT
// Selects the fused loops of the instruction-set level in use.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "expr/op_numbers.h"
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
constexpr int32_t unary_outer_ops[] = {ARR_PAIR_UNARY_OUTER(ARR_PAIR_NUMBER)};
constexpr int32_t unary_inner_ops[] = {ARR_PAIR_UNARY_INNER(ARR_PAIR_NUMBER)};
constexpr int32_t single_ops[] = {ARR_PAIR_SINGLE(ARR_PAIR_NUMBER)};
#undef ARR_PAIR_NUMBER

// The index of an op in a list, or -1.
template <size_t N>
int index_of(const int32_t (&ops)[N], int32_t op) {
  const auto* at = std::find(std::begin(ops), std::end(ops), op);
  return at == std::end(ops) ? -1 : static_cast<int>(at - ops);
}

}  // namespace

LoopFn pair_loop(int32_t outer, int32_t inner, int operand, DType d) {
  if (d != DType::float32_ && d != DType::float64_) return nullptr;
  const bool single = d == DType::float32_;
  if (const int i = index_of(outer_ops, outer), j = index_of(inner_ops, inner); i >= 0 && j >= 0) {
    return (single ? chosen().float32 : chosen().float64)[i][j][operand];
  }
  if (const int i = index_of(unary_outer_ops, outer), j = index_of(unary_inner_ops, inner);
      i >= 0 && j >= 0) {
    return (single ? chosen().unary_float32 : chosen().unary_float64)[i][j];
  }
  return nullptr;
}

LoopFn short_loop(int32_t op, DType d) {
  const int i = index_of(single_ops, op);
  if (i < 0 || (d != DType::float32_ && d != DType::float64_)) return nullptr;
  return d == DType::float32_ ? chosen().single_float32[i] : chosen().single_float64[i];
}

}  // namespace arr::host
