// SPDX-License-Identifier: MIT
// Checks of indices and axes given by the caller, with one status and one wording for those out of range.
#pragma once

#include "base/error.h"

namespace arr {

// Throws for an index out of the range first to last of an axis; index: a number or its text.
template <class Index>
[[noreturn]] void fail_index(const char* argument, const Index& index, int32_t axis, int64_t extent,
                             int64_t first, int64_t last) {
  if (last < first) {
    fail(ARR_E_ARGUMENT, "argument ", argument, ": axis ", axis, " has extent 0, so no index is in bounds");
  }
  fail(ARR_E_ARGUMENT, "argument ", argument, ": index ", index, " along axis ", axis, " of extent ", extent,
       ", expected ", first, " to ", last);
}

// The index from the first element; negative ones count from the end of the axis.
inline int64_t index_in(int64_t index, int64_t extent, int32_t axis, const char* argument) {
  if (index < -extent || index >= extent) fail_index(argument, index, axis, extent, -extent, extent - 1);
  return index < 0 ? index + extent : index;
}

}  // namespace arr
