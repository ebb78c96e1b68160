// SPDX-License-Identifier: MIT
// Element-wise loops of 32- and 64-bit integers.
#include "host/loops/elementwise/ops.h"

namespace arr::host::ARR_LEVEL {

void fill_int_large(LoopTable& t) {
  fill_ops<int>(t);
  fill_ops<unsigned int>(t);
  fill_ops<long long>(t);
  fill_ops<unsigned long long>(t);
}

}  // namespace arr::host::ARR_LEVEL
