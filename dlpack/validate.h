// SPDX-License-Identifier: MIT
// Checks of a foreign tensor's fields. Nothing is trusted but that shape and strides point to ndim numbers
// and that the memory so described exists.
#pragma once

#include "array/array.h"
#include "dlpack/abi.h"

namespace arr::dlpack {

struct Checked {
  DType dtype = DType::none;
  int32_t device_type = 0;  // as the tensor says
  Device device;            // where libarr works with it
  Layout layout;
  char* first = nullptr;  // element (0,..,0); nullptr where there is none
};

// strides_required: the struct's version demands them.
Checked check(const Tensor& t, bool strides_required);

}  // namespace arr::dlpack
