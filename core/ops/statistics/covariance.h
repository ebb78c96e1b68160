// SPDX-License-Identifier: MIT
// Covariances and correlations of variables.
#pragma once

#include "ops/elementwise/create.h"

namespace arr {

struct CovarianceRequest {
  const Array* y = nullptr;         // further variables
  const Array* fweights = nullptr;  // number of repetitions of each observation, integers
  const Array* aweights = nullptr;  // weights of the observations
  bool columns = false;             // true: variables are columns
  int64_t ddof = 1;                 // delta degrees of freedom
  DType dtype = DType::none;        // dtype of the result; none: float64 or complex128
};
Ref<Array> cov(const Array& m, const CovarianceRequest& request, Stream* stream);
// Has no weights, because ddof cancels out.
Ref<Array> corrcoef(const Array& x, const CovarianceRequest& request, Stream* stream);

}  // namespace arr
