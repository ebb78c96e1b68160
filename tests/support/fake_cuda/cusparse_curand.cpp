// SPDX-License-Identifier: MIT
// The versions of cuSPARSE and cuRAND, all that the module calls of them.
#include "cuda/driver/api_types.h"
#include "fake_cuda.h"

extern "C" {
#pragma GCC visibility push(default)

int cusparseGetProperty(int property, int* value) {
  *value = property == 0 ? 12 : 6;
  return 0;
}
int curandGetProperty(int property, int* value) {
  *value = property == 0 ? 10 : 4;
  return 0;
}

#pragma GCC visibility pop
}
