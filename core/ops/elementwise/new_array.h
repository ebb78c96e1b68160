// SPDX-License-Identifier: MIT
// The dtype and the device of a new array, for functions that create arrays from numbers.
#pragma once

#include "base/error.h"
#include "expr/ops.h"
#include "runtime/streams.h"

namespace arr {

struct NewArray {
  DType dtype = DType::none;  // none: the function's default
  Device device;
  Stream* stream = nullptr;
};

// The requested dtype, or the function's default. Throws if it is not of the function's kinds.
inline DType type_of(const NewArray& made, DType standard, uint32_t kinds, const char* expected) {
  const DType d = made.dtype == DType::none ? standard : made.dtype;
  if (!in_domain(kinds, d)) fail(ARR_E_DTYPE, "argument dtype: ", name(d), ", expected ", expected);
  return d;
}

}  // namespace arr
