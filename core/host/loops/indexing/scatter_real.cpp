// SPDX-License-Identifier: MIT
// Loops that combine bools, integers, floats and doubles into indexed elements.
#include "host/loops/indexing/scatter.h"

namespace arr::host::ARR_LEVEL {

void fill_scatter_real(LoopTable& t) {
  fill_combining<bool>(t);
  fill_combining<signed char>(t);
  fill_combining<unsigned char>(t);
  fill_combining<short>(t);
  fill_combining<unsigned short>(t);
  fill_combining<int>(t);
  fill_combining<unsigned int>(t);
  fill_combining<long long>(t);
  fill_combining<unsigned long long>(t);
  fill_combining<float>(t);
  fill_combining<double>(t);
}

}  // namespace arr::host::ARR_LEVEL
