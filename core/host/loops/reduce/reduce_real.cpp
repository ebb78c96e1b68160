// SPDX-License-Identifier: MIT
// Reduction loops of float and double.
#include "host/loops/reduce/reduce.h"

namespace arr::host::ARR_LEVEL {

void fill_reduce_real(LoopTable& t) {
  fill_reductions<float>(t);
  fill_reductions<double>(t);
}

}  // namespace arr::host::ARR_LEVEL
