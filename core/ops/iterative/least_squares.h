// SPDX-License-Identifier: MIT
// Iterative least-squares solvers.
#pragma once

#include "ops/iterative/krylov.h"

namespace arr {

struct LsqrOptions {
  double damp = 0, atol = 1e-6, btol = 1e-6, conlim = 1e8;
  int64_t maxiter = -1;  // negative: the method's default
  const Array* x0 = nullptr;
  bool var = false;
  SolveCallback callback;
};
struct LsqrResult {
  Ref<Array> x, var;
  int64_t istop = 0, iterations = 0;
  double r1norm = 0, r2norm = 0, anorm = 0, acond = 0, arnorm = 0, xnorm = 0;
};
LsqrResult solve_lsqr(const LinearOperator& a, const Array& right, const LsqrOptions& options,
                      Stream* stream);
LsqrResult solve_lsmr(const LinearOperator& a, const Array& right, const LsqrOptions& options,
                      Stream* stream);

}  // namespace arr
