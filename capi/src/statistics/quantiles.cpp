// SPDX-License-Identifier: MIT
// quantiles.h: medians, quantiles and percentiles, also with weights.
#include "arr/quantiles.h"

#include <algorithm>
#include <vector>

#include "capi/src/output.h"
#include "capi/src/reduce/arguments.h"
#include "ops/reduce/average.h"

using namespace arr::capi;

namespace {

arr_status median(const char* function, const Output& to, bool skip_nan, arr_array a, int32_t naxes,
                  const int32_t* axes, bool keepdims, arr_stream stream) noexcept {
  return write_or_create(function, to, stream, [&](arr::Stream* s) {
    auto x = array(a, "a");
    const double half[] = {0.5};
    return arr::quantile(*x, {half, true, arr::QuantileMethod::median, skip_nan, 1, nullptr},
                         mask_of(*x, naxes, axes), keepdims, s);
  });
}

struct Which {
  bool skip_nan;
  double scale;
};
// weighted: with weights, which are then not NULL.
arr_status quantile(const char* function, const Output& to, Which which, arr_array a, int32_t nq,
                    const double* q, int32_t naxes, const int32_t* axes, bool keepdims, int32_t method,
                    arr_stream stream, bool weighted = false, arr_array weights = nullptr) noexcept {
  return write_or_create(function, to, stream, [&](arr::Stream* s) {
    auto x = array(a, "a");
    const uint32_t mask = mask_of(*x, naxes, axes);
    arr::Ref<arr::Array> by;
    if (weighted) {
      by = arr::weights_along(*x, *array(weights, "weights"),
                              {axes, axes == nullptr ? 0 : static_cast<size_t>(naxes)});
    }
    if (nq < 0) arr::fail(ARR_E_ARGUMENT, "argument nq: ", nq, " is negative");
    check_pointer(q, "q");
    if (method < ARR_QUANTILE_LINEAR || method > ARR_QUANTILE_NORMAL_UNBIASED) {
      arr::fail(ARR_E_ARGUMENT, "argument method: ", method, ", expected one of ARR_QUANTILE_...");
    }
    std::vector<double> all(q, q + std::max(nq, 1));
    for (double& each : all) each /= which.scale;
    return arr::quantile(
        *x, {all, nq == 0, static_cast<arr::QuantileMethod>(method), which.skip_nan, which.scale, by.get()},
        mask, keepdims, s);
  });
}

}  // namespace

arr_status arr_median(arr_array a, int32_t naxes, const int32_t* axes, bool keepdims, arr_stream stream,
                      arr_array* out) {
  return median("arr_median", new_output(out), false, a, naxes, axes, keepdims, stream);
}

arr_status arr_median_into(arr_array dst, arr_array a, int32_t naxes, const int32_t* axes, bool keepdims,
                           arr_stream stream) {
  return median("arr_median_into", existing_output(dst), false, a, naxes, axes, keepdims, stream);
}

arr_status arr_nanmedian(arr_array a, int32_t naxes, const int32_t* axes, bool keepdims, arr_stream stream,
                         arr_array* out) {
  return median("arr_nanmedian", new_output(out), true, a, naxes, axes, keepdims, stream);
}

arr_status arr_nanmedian_into(arr_array dst, arr_array a, int32_t naxes, const int32_t* axes, bool keepdims,
                              arr_stream stream) {
  return median("arr_nanmedian_into", existing_output(dst), true, a, naxes, axes, keepdims, stream);
}

arr_status arr_quantile(arr_array a, int32_t nq, const double* q, int32_t naxes, const int32_t* axes,
                        bool keepdims, int32_t method, arr_stream stream, arr_array* out) {
  return quantile("arr_quantile", new_output(out), {false, 1}, a, nq, q, naxes, axes, keepdims, method,
                  stream);
}

arr_status arr_quantile_into(arr_array dst, arr_array a, int32_t nq, const double* q, int32_t naxes,
                             const int32_t* axes, bool keepdims, int32_t method, arr_stream stream) {
  return quantile("arr_quantile_into", existing_output(dst), {false, 1}, a, nq, q, naxes, axes, keepdims,
                  method, stream);
}

arr_status arr_percentile(arr_array a, int32_t nq, const double* q, int32_t naxes, const int32_t* axes,
                          bool keepdims, int32_t method, arr_stream stream, arr_array* out) {
  return quantile("arr_percentile", new_output(out), {false, 100}, a, nq, q, naxes, axes, keepdims, method,
                  stream);
}

arr_status arr_percentile_into(arr_array dst, arr_array a, int32_t nq, const double* q, int32_t naxes,
                               const int32_t* axes, bool keepdims, int32_t method, arr_stream stream) {
  return quantile("arr_percentile_into", existing_output(dst), {false, 100}, a, nq, q, naxes, axes, keepdims,
                  method, stream);
}

arr_status arr_nanquantile(arr_array a, int32_t nq, const double* q, int32_t naxes, const int32_t* axes,
                           bool keepdims, int32_t method, arr_stream stream, arr_array* out) {
  return quantile("arr_nanquantile", new_output(out), {true, 1}, a, nq, q, naxes, axes, keepdims, method,
                  stream);
}

arr_status arr_nanquantile_into(arr_array dst, arr_array a, int32_t nq, const double* q, int32_t naxes,
                                const int32_t* axes, bool keepdims, int32_t method, arr_stream stream) {
  return quantile("arr_nanquantile_into", existing_output(dst), {true, 1}, a, nq, q, naxes, axes, keepdims,
                  method, stream);
}

arr_status arr_nanpercentile(arr_array a, int32_t nq, const double* q, int32_t naxes, const int32_t* axes,
                             bool keepdims, int32_t method, arr_stream stream, arr_array* out) {
  return quantile("arr_nanpercentile", new_output(out), {true, 100}, a, nq, q, naxes, axes, keepdims, method,
                  stream);
}

arr_status arr_nanpercentile_into(arr_array dst, arr_array a, int32_t nq, const double* q, int32_t naxes,
                                  const int32_t* axes, bool keepdims, int32_t method, arr_stream stream) {
  return quantile("arr_nanpercentile_into", existing_output(dst), {true, 100}, a, nq, q, naxes, axes,
                  keepdims, method, stream);
}

arr_status arr_quantile_weighted(arr_array a, arr_array weights, int32_t nq, const double* q, int32_t naxes,
                                 const int32_t* axes, bool keepdims, int32_t method, arr_stream stream,
                                 arr_array* out) {
  return quantile("arr_quantile_weighted", new_output(out), {false, 1}, a, nq, q, naxes, axes, keepdims,
                  method, stream, true, weights);
}

arr_status arr_quantile_weighted_into(arr_array dst, arr_array a, arr_array weights, int32_t nq,
                                      const double* q, int32_t naxes, const int32_t* axes, bool keepdims,
                                      int32_t method, arr_stream stream) {
  return quantile("arr_quantile_weighted_into", existing_output(dst), {false, 1}, a, nq, q, naxes, axes,
                  keepdims, method, stream, true, weights);
}

arr_status arr_percentile_weighted(arr_array a, arr_array weights, int32_t nq, const double* q, int32_t naxes,
                                   const int32_t* axes, bool keepdims, int32_t method, arr_stream stream,
                                   arr_array* out) {
  return quantile("arr_percentile_weighted", new_output(out), {false, 100}, a, nq, q, naxes, axes, keepdims,
                  method, stream, true, weights);
}

arr_status arr_percentile_weighted_into(arr_array dst, arr_array a, arr_array weights, int32_t nq,
                                        const double* q, int32_t naxes, const int32_t* axes, bool keepdims,
                                        int32_t method, arr_stream stream) {
  return quantile("arr_percentile_weighted_into", existing_output(dst), {false, 100}, a, nq, q, naxes, axes,
                  keepdims, method, stream, true, weights);
}

arr_status arr_nanquantile_weighted(arr_array a, arr_array weights, int32_t nq, const double* q,
                                    int32_t naxes, const int32_t* axes, bool keepdims, int32_t method,
                                    arr_stream stream, arr_array* out) {
  return quantile("arr_nanquantile_weighted", new_output(out), {true, 1}, a, nq, q, naxes, axes, keepdims,
                  method, stream, true, weights);
}

arr_status arr_nanquantile_weighted_into(arr_array dst, arr_array a, arr_array weights, int32_t nq,
                                         const double* q, int32_t naxes, const int32_t* axes, bool keepdims,
                                         int32_t method, arr_stream stream) {
  return quantile("arr_nanquantile_weighted_into", existing_output(dst), {true, 1}, a, nq, q, naxes, axes,
                  keepdims, method, stream, true, weights);
}

arr_status arr_nanpercentile_weighted(arr_array a, arr_array weights, int32_t nq, const double* q,
                                      int32_t naxes, const int32_t* axes, bool keepdims, int32_t method,
                                      arr_stream stream, arr_array* out) {
  return quantile("arr_nanpercentile_weighted", new_output(out), {true, 100}, a, nq, q, naxes, axes, keepdims,
                  method, stream, true, weights);
}

arr_status arr_nanpercentile_weighted_into(arr_array dst, arr_array a, arr_array weights, int32_t nq,
                                           const double* q, int32_t naxes, const int32_t* axes, bool keepdims,
                                           int32_t method, arr_stream stream) {
  return quantile("arr_nanpercentile_weighted_into", existing_output(dst), {true, 100}, a, nq, q, naxes, axes,
                  keepdims, method, stream, true, weights);
}
