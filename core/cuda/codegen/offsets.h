// SPDX-License-Identifier: MIT
// Offsets of operands, which are 32 bits wide in kernels where that is enough.
#pragma once

#include <cstdint>

namespace arr::cuda {

// Bytes that operand strides reach from the first element, as an upper bound of any offset.
inline int64_t reach(int32_t ndim, const int64_t* shape, const int64_t* strides) {
  int64_t sum = 0;
  for (int32_t d = 0; d < ndim; ++d) {
    if (shape[d] > 1) sum += (shape[d] - 1) * (strides[d] < 0 ? -strides[d] : strides[d]);
  }
  return sum;
}

}  // namespace arr::cuda
