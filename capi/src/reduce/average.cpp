// SPDX-License-Identifier: MIT
// statistics.h: averages, norms, softmax.
#include "arr/statistics.h"

#include "capi/src/reduce/arguments.h"
#include "ops/reduce/average.h"

using namespace arr::capi;

namespace {

// NULL: none.
arr::Ref<arr::Array> weights_along(const arr::Array& a, arr_array weights, int32_t naxes,
                                   const int32_t* axes) {
  if (weights == nullptr) return {};
  mask_of(a, naxes, axes);
  auto w = array(weights, "weights");
  return arr::weights_along(a, *w, {axes, axes == nullptr ? 0 : static_cast<size_t>(naxes)});
}

arr_status softmax(const char* function, bool logarithm, arr_array a, int32_t naxes, const int32_t* axes,
                   arr_stream stream_handle, arr_array* out) noexcept {
  return make_array(function, out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::softmax(*x, mask_of(*x, naxes, axes), logarithm, s.get());
  });
}

}  // namespace

arr_status arr_logsumexp_weighted(arr_array a, arr_array b, int32_t naxes, const int32_t* axes, bool keepdims,
                                  arr_stream stream_handle, arr_array* out) {
  return make_array("arr_logsumexp_weighted", out, [&] {
    auto x = array(a, "a");
    auto weights = array(b, "b");
    auto s = stream(stream_handle);
    const auto all = arr::weighted_logsumexp(*x, *weights, mask_of(*x, naxes, axes), keepdims, s.get());
    return arr::positive_logarithm(all, s.get());
  });
}

arr_status arr_logsumexp_signed(arr_array a, arr_array b, int32_t naxes, const int32_t* axes, bool keepdims,
                                arr_stream stream_handle, arr_array* out, arr_array* out_sign) {
  return guard("arr_logsumexp_signed", [&] {
    check_pointer(out, "out");
    check_pointer(out_sign, "out_sign");
    auto x = array(a, "a");
    auto weights = array(b, "b");
    auto s = stream(stream_handle);
    auto all = arr::weighted_logsumexp(*x, *weights, mask_of(*x, naxes, axes), keepdims, s.get());
    arr_array made[2] = {};
    publish_all({std::move(all.logarithm), std::move(all.sign)}, made);
    *out = made[0];
    *out_sign = made[1];
  });
}

arr_status arr_average(arr_array a, arr_array weights, int32_t naxes, const int32_t* axes, bool keepdims,
                       arr_stream stream_handle, arr_array* out) {
  return make_array("arr_average", out, [&] {
    auto x = array(a, "a");
    const auto along = weights_along(*x, weights, naxes, axes);
    auto s = stream(stream_handle);
    return arr::average(*x, along.get(), mask_of(*x, naxes, axes), keepdims, s.get());
  });
}

arr_status arr_average_returned(arr_array a, arr_array weights, int32_t naxes, const int32_t* axes,
                                bool keepdims, arr_stream stream_handle, arr_array* out_average,
                                arr_array* out_sum) {
  return guard("arr_average_returned", [&] {
    check_pointer(out_average, "out_average");
    check_pointer(out_sum, "out_sum");
    auto x = array(a, "a");
    const auto along = weights_along(*x, weights, naxes, axes);
    auto s = stream(stream_handle);
    auto both = arr::average_returned(*x, along.get(), mask_of(*x, naxes, axes), keepdims, s.get());
    arr_array made[2] = {};
    publish_all({std::move(both.average), std::move(both.sum)}, made);
    *out_average = made[0];
    *out_sum = made[1];
  });
}

arr_status arr_vector_norm(arr_array a, double p, int32_t naxes, const int32_t* axes, bool keepdims,
                           arr_stream stream_handle, arr_array* out) {
  return make_array("arr_vector_norm", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::vector_norm(*x, p, mask_of(*x, naxes, axes), keepdims, s.get());
  });
}

arr_status arr_softmax(arr_array a, int32_t naxes, const int32_t* axes, arr_stream stream, arr_array* out) {
  return softmax("arr_softmax", false, a, naxes, axes, stream, out);
}

arr_status arr_log_softmax(arr_array a, int32_t naxes, const int32_t* axes, arr_stream stream,
                           arr_array* out) {
  return softmax("arr_log_softmax", true, a, naxes, axes, stream, out);
}
