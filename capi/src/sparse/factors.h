// SPDX-License-Identifier: MIT
// Handles of factors of sparse matrices.
#pragma once

#include "arr/factor.h"
#include "capi/src/entry.h"
#include "ops/sparse/factor.h"

namespace arr::capi {

template <>
struct KindOf<SparseFactor> {
  static constexpr Kind kind = Kind::sparse_factor;
};

inline Pinned<SparseFactor> factor_argument(arr_sparse_factor h) { return lookup<SparseFactor>(h, "factor"); }

}  // namespace arr::capi
