// SPDX-License-Identifier: MIT
// Element-wise loops of complex numbers.
#include "host/loops/elementwise/ops.h"

namespace arr::host::ARR_LEVEL {

void fill_complex(LoopTable& t) {
  fill_ops<arr_cplx<float>>(t);
  fill_ops<arr_cplx<double>>(t);
}

}  // namespace arr::host::ARR_LEVEL
