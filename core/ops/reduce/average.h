// SPDX-License-Identifier: MIT
// Composites of reductions and programs: averages of some elements or with weights, vector norms, softmax.
#pragma once

#include <functional>

#include "backend/statistics.h"
#include "ops/reduce/reduce.h"

namespace arr {

// mean, var and std, which divide by how many elements there are.
bool is_average(const ReductionInfo& reduction) noexcept;
// These over the elements where options.where is true, in two passes.
Ref<Array> masked_average(const ReductionInfo& reduction, const Array& a, uint32_t axes, bool keepdims,
                          const ReduceOptions& options, Stream* stream);

// The sums of an average of masked elements, with axes kept: of the elements in types.element, and of their
// squared distances from the mean in its real type.
struct MaskedSums {
  std::function<Ref<Array>()> sum;
  std::function<Ref<Array>(const Array& mean)> squares;
};
// mask: bool, of the elements' shape.
Ref<Array> masked_average(const ReductionInfo& reduction, const ReduceTypes& types, const Array& mask,
                          const MaskedSums& sums, uint32_t axes, bool keepdims, double correction,
                          Stream* stream);
// The mask seen from the elements' shape; throws where a reduction does not take these options.
Ref<Array> average_mask(const ReductionInfo& reduction, const Layout& shape, const ReduceOptions& options);

// Reduced axes of extent 1 dropped, where they are not to be kept.
Ref<Array> without_axes(Ref<Array> a, uint32_t axes, bool keepdims);

// Weights as seen from a's shape: of that shape, or with the extents of a along the axes, in their order.
Ref<Array> weights_along(const Array& a, const Array& weights, std::span<const int32_t> axes);
// sum(a * weights) / sum(weights), or the mean. Weights have a's shape.
Ref<Array> average(const Array& a, const Array* weights, uint32_t axes, bool keepdims, Stream* stream);
// The same, and sum(weights) in its type; without weights how many elements there were.
struct Averaged {
  Ref<Array> average, sum;
};
Averaged average_returned(const Array& a, const Array* weights, uint32_t axes, bool keepdims, Stream* stream);

// Powers of 2 near positive numbers, of their real type: what is divided by them loses no digits, and its
// powers and products stay in the range of the type. 1 where there is 0, inf or nan.
Ref<Array> scales_of(const Array& sizes, Stream* stream);

// The p-norm of magnitudes; p infinite: the largest (smallest) magnitude, 0: how many are not zero.
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
  std::span<const double> q;  // each in 0 .. 1
  bool scalar = false;        // one q, which adds no axis to the result
  QuantileMethod method = QuantileMethod::linear;
  bool skip_nan = false;
  double scale = 1;                // what errors multiply q by: 100 for percentiles
  const Array* weights = nullptr;  // seen from a's shape; the method is inverted_cdf. Waits, to check them
};
// The quantiles; the first axis of the result runs over q.
Ref<Array> quantile(const Array& a, const QuantileRequest& request, uint32_t axes, bool keepdims,
                    Stream* stream);

}  // namespace arr
