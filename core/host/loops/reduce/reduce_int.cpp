// SPDX-License-Identifier: MIT
// Reduction loops of bool and the integers.
#include "host/loops/reduce/reduce.h"

namespace arr::host::ARR_LEVEL {

void fill_reduce_int(LoopTable& t) {
  fill_reductions<bool>(t);
  fill_reductions<signed char>(t);
  fill_reductions<unsigned char>(t);
  fill_reductions<short>(t);
  fill_reductions<unsigned short>(t);
  fill_reductions<int>(t);
  fill_reductions<unsigned int>(t);
  fill_reductions<long long>(t);
  fill_reductions<unsigned long long>(t);
}

}  // namespace arr::host::ARR_LEVEL
