// SPDX-License-Identifier: MIT
// Of cuSPARSE and cuRAND, which the module only lends, the fake has their versions.
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
