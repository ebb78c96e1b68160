// SPDX-License-Identifier: MIT
// Element-wise loops of float and double.
#include "host/loops/elementwise/ops.h"

namespace arr::host::ARR_LEVEL {

void fill_real(LoopTable& t) {
  fill_ops<float>(t);
  fill_ops<double>(t);
  fill_ops<arr_half>(t);
  fill_ops<arr_bfloat>(t);
}

}  // namespace arr::host::ARR_LEVEL
