// SPDX-License-Identifier: MIT
// Covariances and correlations of variables.
#pragma once

#include "ops/elementwise/create.h"

namespace arr {

struct CovarianceRequest {
  const Array* y = nullptr;         // more variables
  const Array* fweights = nullptr;  // how often each observation counts, whole
  const Array* aweights = nullptr;  // weights of the observations
  bool columns = false;             // variables are columns
  int64_t ddof = 1;                 // taken off the number of observations
  DType dtype = DType::none;        // none: float64 or complex128
};
Ref<Array> cov(const Array& m, const CovarianceRequest& request, Stream* stream);
// Without weights; ddof does not matter.
Ref<Array> corrcoef(const Array& x, const CovarianceRequest& request, Stream* stream);

}  // namespace arr
