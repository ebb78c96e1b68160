// SPDX-License-Identifier: MIT
// Scan loops of bool and the integers.
#include "host/loops/reduce/scan.h"

namespace arr::host::ARR_LEVEL {

void fill_scan_int(LoopTable& t) {
  fill_scans<bool>(t);
  fill_scans<signed char>(t);
  fill_scans<unsigned char>(t);
  fill_scans<short>(t);
  fill_scans<unsigned short>(t);
  fill_scans<int>(t);
  fill_scans<unsigned int>(t);
  fill_scans<long long>(t);
  fill_scans<unsigned long long>(t);
}

}  // namespace arr::host::ARR_LEVEL
