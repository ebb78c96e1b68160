// SPDX-License-Identifier: MIT
// Loops that combine complex numbers into indexed elements.
#include "host/loops/indexing/scatter.h"

namespace arr::host::ARR_LEVEL {

void fill_scatter_complex(LoopTable& t) {
  fill_combining<arr_cplx<float>>(t);
  fill_combining<arr_cplx<double>>(t);
}

}  // namespace arr::host::ARR_LEVEL
