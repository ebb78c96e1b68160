// SPDX-License-Identifier: MIT
// An operand of a call.
#pragma once

#include "expr/program.h"

namespace arr {

// One operand of a call: memory with strides, a scalar by value, or a ramp.
struct Operand {
  void* data = nullptr;              // element (0,..,0); nullptr: `value` instead
  const int64_t* strides = nullptr;  // bytes, one per dimension of the call
  Scalar value;                      // when data is nullptr
  // Instead of memory a ramp: computed int64 numbers that start at ramp_at(0) and grow by the strides. An
  // input of an element-wise call may be one. True or false; a whole word, because copies of a struct with
  // gaps at its end read what overlapping stores wrote, and wait for them.
  int64_t ramp = 0;
};
inline char* ramp_at(int64_t number) {
  return reinterpret_cast<char*>((uintptr_t{1} << 62) + static_cast<uintptr_t>(number));
}
inline int64_t ramp_number(const void* at) {
  return static_cast<int64_t>(reinterpret_cast<uintptr_t>(at) - (uintptr_t{1} << 62));
}

}  // namespace arr
