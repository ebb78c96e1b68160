// SPDX-License-Identifier: MIT
// Arguments of functions that write at indices.
#pragma once

#include "capi/src/entry.h"

namespace arr::capi {

// A value to write to an array: an array, or a number in its dtype.
class Written {
 public:
  Written(const arr_value* value, const char* argument, DType dtype) {
    check_pointer(value, argument);
    if (value->kind == ARR_VALUE_ARRAY) {
      operand_.add(value, argument);
      input_ = operand_.inputs()[0];
    } else {
      input_.scalar = scalar_as(value, argument, dtype);
    }
  }
  [[nodiscard]] const Input& input() const { return input_; }

 private:
  Operands operand_;
  Input input_;
};

}  // namespace arr::capi
