// SPDX-License-Identifier: MIT
// The kind of a norm.
#pragma once

#include "base/error.h"
#include "ops/linalg/products.h"

namespace arr::capi {

inline NormKind kind_argument(int32_t kind) {
  if (kind < ARR_NORM_DEFAULT || kind > ARR_NORM_NUC) {
    fail(ARR_E_ARGUMENT, "argument kind: ", kind, ", expected one of ARR_NORM_...");
  }
  return static_cast<NormKind>(kind);
}

}  // namespace arr::capi
