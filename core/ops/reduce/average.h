// SPDX-License-Identifier: MIT
// Composites of reductions and programs: masked and weighted averages, vector norms, softmax.
#pragma once

#include <functional>

#include "backend/statistics.h"
#include "ops/reduce/reduce.h"

namespace arr {

// True for mean, var and std, which divide by the number of elements.
bool is_average(const ReductionInfo& reduction) noexcept;
// These reductions over the elements where options.where is true, in two passes.
Ref<Array> masked_average(const ReductionInfo& reduction, const Array& a, uint32_t axes, bool keepdims,
                          const ReduceOptions& options, Stream* stream);

// The sums of a masked average, with reduced axes kept: of the elements in types.element, and of their
// squared distances from the mean in the real dtype of that.
struct MaskedSums {
  std::function<Ref<Array>()> sum;
  std::function<Ref<Array>(const Array& mean)> squares;
};
// mask: bool, of the elements' shape.
Ref<Array> masked_average(const ReductionInfo& reduction, const ReduceTypes& types, const Array& mask,
                          const MaskedSums& sums, uint32_t axes, bool keepdims, double correction,
                          Stream* stream);
// The mask broadcast to the elements' shape. Throws if a reduction does not accept these options.
Ref<Array> average_mask(const ReductionInfo& reduction, const Layout& shape, const ReduceOptions& options);

// Removes reduced axes of extent 1, unless they are to be kept.
Ref<Array> without_axes(Ref<Array> a, uint32_t axes, bool keepdims);

// Broadcasts weights to a's shape. They have that shape, or the extents of a along the axes, in their order.
Ref<Array> weights_along(const Array& a, const Array& weights, std::span<const int32_t> axes);
// sum(a * weights) / sum(weights), or the mean. Weights have a's shape.
Ref<Array> average(const Array& a, const Array* weights, uint32_t axes, bool keepdims, Stream* stream);
// The same, and sum(weights) in its dtype; without weights the number of elements.
struct Averaged {
  Ref<Array> average, sum;
};
Averaged average_returned(const Array& a, const Array* weights, uint32_t axes, bool keepdims, Stream* stream);

// Powers of 2 near positive numbers, in their real dtype. Dividing by them is exact and brings numbers into a
// range in which powers and products neither overflow nor underflow. 1 for 0, inf and nan.
Ref<Array> scales_of(const Array& sizes, Stream* stream);

// The p-norm of magnitudes. p = inf: the largest magnitude; p = -inf: the smallest; p = 0: the number of
// nonzero ones.
Ref<Array> vector_norm(const Array& a, double p, uint32_t axes, bool keepdims, Stream* stream);

// exp(a) / sum(exp(a)), or its logarithm.
Ref<Array> softmax(const Array& a, uint32_t axes, bool logarithm, Stream* stream);

// log(|sum(b * exp(a))|) and the sum's sign, of the same type and shape.
struct SignedLogarithm {
  Ref<Array> logarithm, sign;
};
SignedLogarithm weighted_logsumexp(const Array& a, const Array& b, uint32_t axes, bool keepdims,
                                   Stream* stream);
// The logarithm alone: nan where the sum is negative.
Ref<Array> positive_logarithm(const SignedLogarithm& of, Stream* stream);

struct QuantileRequest {
  std::span<const double> q;  // each in [0, 1]
  bool scalar = false;        // a single q, which adds no axis to the result
  QuantileMethod method = QuantileMethod::linear;
  bool skip_nan = false;
  double scale = 1;                // factor of q in error texts: 100 for percentiles
  const Array* weights = nullptr;  // broadcast to a's shape; for inverted_cdf only; checking waits
};
// The quantiles; the first axis of the result corresponds to q.
Ref<Array> quantile(const Array& a, const QuantileRequest& request, uint32_t axes, bool keepdims,
                    Stream* stream);

}  // namespace arr
