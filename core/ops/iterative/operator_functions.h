// SPDX-License-Identifier: MIT
// Functions of linear operators: estimates of norms, the exponential times a matrix.
#pragma once

#include <complex>
#include <optional>

#include "ops/iterative/linop.h"

namespace arr {

// An estimate of the 1-norm, which is not above it; |v| is 1, and w is a v.
struct NormEstimate {
  double norm = 0;
  Ref<Array> v, w;
};
NormEstimate onenormest(const LinearOperator& a, int64_t t, int64_t itmax, Stream* stream);

struct ExpmOptions {
  std::optional<std::complex<double>> trace;  // of a, about
  int64_t num = 0;                            // points in time; 0: the time 1
  double start = 0, stop = 1;
  bool open = false;  // without `stop`
};
// exp(t a) b at each time t, along a first axis if there are several.
Ref<Array> expm_multiply(const LinearOperator& a, const Array& b, const ExpmOptions& options, Stream* stream);

}  // namespace arr
