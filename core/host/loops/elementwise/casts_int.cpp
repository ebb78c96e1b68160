// SPDX-License-Identifier: MIT
// Conversion loops from bool and the integers.
#include "host/loops/elementwise/casts.h"

namespace arr::host::ARR_LEVEL {

void fill_casts_int(LoopTable& t) {
  fill_casts<bool>(t);
  fill_casts<signed char>(t);
  fill_casts<unsigned char>(t);
  fill_casts<short>(t);
  fill_casts<unsigned short>(t);
  fill_casts<int>(t);
  fill_casts<unsigned int>(t);
  fill_casts<long long>(t);
  fill_casts<unsigned long long>(t);
}

}  // namespace arr::host::ARR_LEVEL
