// SPDX-License-Identifier: MIT
// Combining into chosen places: complex numbers.
#include "host/loops/scatter.h"

namespace arr::host::ARR_LEVEL {

void fill_scatter_complex(LoopTable& t) {
  fill_combining<arr_cplx<float>>(t);
  fill_combining<arr_cplx<double>>(t);
}

}  // namespace arr::host::ARR_LEVEL
