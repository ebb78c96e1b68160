// SPDX-License-Identifier: MIT
// The version of cuRAND, all that the module calls of it.
#include "cuda/driver/api_types.h"
#include "fake_cuda.h"

extern "C" {
#pragma GCC visibility push(default)

int curandGetProperty(int property, int* value) {
  *value = property == 0 ? 10 : 4;
  return 0;
}

#pragma GCC visibility pop
}
