// SPDX-License-Identifier: MIT
// Scan loops of complex numbers.
#include "host/loops/reduce/scan.h"

namespace arr::host::ARR_LEVEL {

void fill_scan_complex(LoopTable& t) {
  fill_scans<arr_cplx<float>>(t);
  fill_scans<arr_cplx<double>>(t);
}

}  // namespace arr::host::ARR_LEVEL
