// SPDX-License-Identifier: MIT
// Reduction loops of complex numbers.
#include "host/loops/reduce/reduce.h"

namespace arr::host::ARR_LEVEL {

void fill_reduce_complex(LoopTable& t) {
  fill_reductions<arr_cplx<float>>(t);
  fill_reductions<arr_cplx<double>>(t);
}

}  // namespace arr::host::ARR_LEVEL
