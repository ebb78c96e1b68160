// SPDX-License-Identifier: MIT
// Scan loops of float and double.
#include "host/loops/reduce/scan.h"

namespace arr::host::ARR_LEVEL {

void fill_scan_real(LoopTable& t) {
  fill_scans<float>(t);
  fill_scans<double>(t);
}

}  // namespace arr::host::ARR_LEVEL
