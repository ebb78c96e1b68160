// SPDX-License-Identifier: MIT
// Element-wise loops of bool and of 8- and 16-bit integers.
#include "host/loops/elementwise/ops.h"

namespace arr::host::ARR_LEVEL {

void fill_int_small(LoopTable& t) {
  fill_ops<bool>(t);
  fill_ops<signed char>(t);
  fill_ops<unsigned char>(t);
  fill_ops<short>(t);
  fill_ops<unsigned short>(t);
}

}  // namespace arr::host::ARR_LEVEL
