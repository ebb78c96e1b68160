// SPDX-License-Identifier: MIT
// A few eigenvalues or singular values of linear operators.
#pragma once

#include "arr/iterative.h"
#include "ops/iterative/linop.h"

namespace arr {

enum class Wanted : int32_t {
  largest_magnitude = ARR_EIGEN_LM,
  smallest_magnitude = ARR_EIGEN_SM,
  largest = ARR_EIGEN_LA,
  smallest = ARR_EIGEN_SA,
  both_ends = ARR_EIGEN_BE,
  largest_real = ARR_EIGEN_LR,
  smallest_real = ARR_EIGEN_SR,
  largest_imaginary = ARR_EIGEN_LI,
  smallest_imaginary = ARR_EIGEN_SI
};
struct EigshOptions {
  int64_t k = 6;
  Wanted which = Wanted::largest_magnitude;
  int64_t ncv = 0, maxiter = 0;  // 0: the defaults
  double tol = 0;                // 0: that of the type
  const Array* v0 = nullptr;
};
struct Eigenpairs {
  Ref<Array> values, vectors;  // in columns
};
// In ascending order.
Eigenpairs eigsh(const LinearOperator& a, const EigshOptions& options, Stream* stream);

// Those of any operator are complex, the most wanted ones first. Only parts and magnitudes are wished for.
Eigenpairs eigs(const LinearOperator& a, const EigshOptions& options, Stream* stream);

struct SingularTriplets {
  Ref<Array> u, s, vh;
};
// In ascending order.
SingularTriplets svds(const LinearOperator& a, const EigshOptions& options, Stream* stream);

struct LobpcgOptions {
  const LinearOperator* b = nullptr;
  const LinearOperator* m = nullptr;
  bool smallest = false;
  double tol = 0;  // 0: the default
  int64_t maxiter = 20;
};
struct BlockEigenpairs {
  Eigenpairs pairs;
  int64_t iterations = 0;
};
BlockEigenpairs lobpcg(const LinearOperator& a, const Array& x, const LobpcgOptions& options, Stream* stream);

}  // namespace arr
