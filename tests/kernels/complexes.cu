// SPDX-License-Identifier: MIT
// Complex numbers in C's manner: row k of `out`.
#include <cuComplex.h>
#define INDEX                                    \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return
#define ROW(k, value) out[(k)*n + i] = value
extern "C" __global__ void complex_double(const cuDoubleComplex* a, const cuDoubleComplex* b,
                                          const cuDoubleComplex* c, cuDoubleComplex* out, int n) {
  INDEX;
  ROW(0, cuCadd(a[i], b[i])), ROW(1, cuCsub(a[i], b[i])), ROW(2, cuCmul(a[i], b[i])),
      ROW(3, cuCdiv(a[i], b[i]));
  ROW(4, cuConj(a[i])), ROW(5, cuCfma(a[i], b[i], c[i])),
      ROW(6, make_cuDoubleComplex(cuCabs(a[i]), cuCimag(b[i])));
  ROW(7, cuComplexFloatToDouble(cuComplexDoubleToFloat(a[i])));
}
extern "C" __global__ void complex_float(const cuComplex* a, const cuFloatComplex* b, const cuComplex* c,
                                         cuComplex* out, int n) {
  INDEX;
  ROW(0, cuCaddf(a[i], b[i])), ROW(1, cuCsubf(a[i], b[i])), ROW(2, cuCmulf(a[i], b[i])),
      ROW(3, cuCdivf(a[i], b[i]));
  ROW(4, cuConjf(a[i])), ROW(5, cuCfmaf(a[i], b[i], c[i])),
      ROW(6, make_cuComplex(cuCabsf(a[i]), cuCimagf(b[i])));
  ROW(7, make_cuFloatComplex(cuCrealf(b[i]), 1));
}
