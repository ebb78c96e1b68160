// SPDX-License-Identifier: MIT
// The common dtype of several arrays.
#include "ops/elementwise/promotion.h"

#include <algorithm>
#include <vector>

#include "expr/ops.h"

namespace arr {

DType common_type(std::span<const Array* const> arrays) {
  const auto is_first = [&](const Array* a) { return a->dtype == arrays.front()->dtype; };
  if (!arrays.empty() && std::all_of(arrays.begin(), arrays.end(), is_first)) return arrays.front()->dtype;
  std::vector<OperandType> types;
  types.reserve(arrays.size());
  for (const Array* a : arrays) types.push_back({a->dtype, false});
  return common_type(std::span<const OperandType>(types));
}

}  // namespace arr
