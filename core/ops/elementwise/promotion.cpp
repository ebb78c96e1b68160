// SPDX-License-Identifier: MIT
// The common dtype of several arrays.
#include "ops/elementwise/promotion.h"

#include <vector>

#include "expr/ops.h"

namespace arr {

DType common_type(std::span<const Array* const> arrays) {
  std::vector<OperandType> types;
  types.reserve(arrays.size());
  for (const Array* a : arrays) types.push_back({a->dtype, false});
  return common_type(std::span<const OperandType>(types));
}

}  // namespace arr
