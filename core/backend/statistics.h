// SPDX-License-Identifier: MIT
// Quantiles of rows.
#pragma once

#include "arr/quantiles.h"
#include "backend/error.h"
#include "backend/visit.h"

namespace arr {

// NumPy's methods of estimating a quantile; `median` is the mean of the one or two in the middle.
enum class QuantileMethod : int32_t {
  linear = ARR_QUANTILE_LINEAR,
  lower = ARR_QUANTILE_LOWER,
  higher = ARR_QUANTILE_HIGHER,
  midpoint = ARR_QUANTILE_MIDPOINT,
  nearest = ARR_QUANTILE_NEAREST,
  inverted_cdf = ARR_QUANTILE_INVERTED_CDF,
  averaged_inverted_cdf = ARR_QUANTILE_AVERAGED_INVERTED_CDF,
  closest_observation = ARR_QUANTILE_CLOSEST_OBSERVATION,
  interpolated_inverted_cdf = ARR_QUANTILE_INTERPOLATED_INVERTED_CDF,
  hazen = ARR_QUANTILE_HAZEN,
  weibull = ARR_QUANTILE_WEIBULL,
  median_unbiased = ARR_QUANTILE_MEDIAN_UNBIASED,
  normal_unbiased = ARR_QUANTILE_NORMAL_UNBIASED,
  median = 100,
};

// out[i][r] = quantile q[i] of row r, for `rows` rows of n elements, row-major. nan in a row is ignored
// (skip_nan) or makes the result nan, as does a row without elements.
struct QuantileCall {
  DType dtype = DType::none;  // dtype of the elements: bool, integers, float32, float64
  int64_t rows = 0, n = 0, nq = 0;
  const void* data = nullptr;
  const double* q = nullptr;  // on the host, each in [0, 1]
  QuantileMethod method = QuantileMethod::linear;
  bool skip_nan = false;
  bool elements = false;  // out has the elements' dtype if the method selects one of them, otherwise float64
  void* out = nullptr;
  // Weights require the method inverted_cdf: the quantile is the first sorted element at which the running
  // sum of weights reaches q times their sum. No weight is negative, and no row's sum is 0, infinite or nan.
  const double* weights = nullptr;
  int64_t weights_row = 0;  // distance between the rows' weights: n, or 0 if they are the same for all
};

template <class Visitor>
void visit(Visitor& v, QuantileCall& c) {
  const int64_t extents[] = {c.rows, c.n};
  v.name([] { return "quantiles"; });
  v.extents(extents, 2);
  v.numbers(c.q, c.nq);
  v.bytes([&] { return c.rows * c.n * item_size(c.dtype); });
}

struct StatisticsApi {
  int32_t (*quantiles)(int32_t device, const QuantileCall*, void* stream, BackendError*);
};

}  // namespace arr
