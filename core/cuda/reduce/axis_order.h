// SPDX-License-Identifier: MIT
// The order of kept and reduced dimensions in memory.
#pragma once

#include "backend/operand.h"

namespace arr::cuda {

// Returns true if elements that are adjacent in memory belong to different rows: a kept dimension has the
// smallest stride.
inline bool kept_runs_fastest(const Operand& o, int32_t nkept, int32_t ndim, const int64_t* shape) {
  if (nkept == 0 || nkept == ndim) return nkept != 0;
  const int64_t kept = o.strides[nkept - 1], reduced = o.strides[ndim - 1];
  return (kept < 0 ? -kept : kept) < (reduced < 0 ? -reduced : reduced) && shape[nkept - 1] >= 8;
}

}  // namespace arr::cuda
