// SPDX-License-Identifier: MIT
// statistics.h: reductions by number, averages, norms, softmax.
#include "arr/statistics.h"

#include "capi/src/reduce/arguments.h"
#include "capi/src/target.h"
#include "ops/reduce/average.h"
#include "ops/reduce/ordered.h"
#include "ops/statistics/covariance.h"

using namespace arr::capi;

namespace {

const arr::OpInfo& op_argument(int32_t op) {
  const arr::OpInfo* info = arr::op_info(op);
  if (info == nullptr) arr::fail(ARR_E_ARGUMENT, "argument op: ", op, " is the number of no operation");
  if (!arr::is_order_dependent(*info) && arr::reducer_of(*info) == nullptr)
    arr::fail(ARR_E_UNSUPPORTED, "argument op: ", info->name, " has no reduce");
  return *info;
}

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

arr_status arr_reduction_find(const char* name, int32_t* reduction) {
  return guard("arr_reduction_find", [&] {
    check_pointer(name, "name");
    check_pointer(reduction, "reduction");
    const arr::ReductionInfo* found = arr::reduction_find(name);
    if (found == nullptr || found->form == arr::ReduceForm::HIDDEN) {
      arr::fail(ARR_E_ARGUMENT, "argument name: \"", name, "\" is the name of no reduction");
    }
    *reduction = found->number;
  });
}

arr_status arr_reduction_info(int32_t index, int32_t* reduction, const char** name, int64_t* dtypes,
                              const char** doc) {
  return guard("arr_reduction_info", [&] {
    int32_t count = 0;
    for (const arr::ReductionInfo& r : arr::all_reductions()) {
      if (r.form == arr::ReduceForm::HIDDEN || count++ != index) continue;
      if (reduction != nullptr) *reduction = r.number;
      if (name != nullptr) *name = r.name;
      if (doc != nullptr) *doc = r.doc;
      if (dtypes == nullptr) return;
      *dtypes = 0;
      for (const arr::DTypeInfo& d : arr::dtype_table) {
        if (d.bytes != 0 && arr::in_domain(r.domain, d.dtype)) {
          *dtypes |= int64_t{1} << static_cast<int32_t>(d.dtype);
        }
      }
      return;
    }
    arr::fail(ARR_E_ARGUMENT, "argument index: ", index, ", there are ", count, " reductions");
  });
}

arr_status arr_reduce(int32_t reduction, arr_array a, int32_t naxes, const int32_t* axes, int32_t keepdims,
                      const arr_reduce_options* options, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_reduce", out, [&] {
    const arr::ReductionInfo& r = reduction_argument(reduction);
    auto x = array(a, "a");
    const Options o(options);
    auto s = stream(stream_handle);
    return arr::reduce(r, *x, mask_of(*x, naxes, axes), keepdims != 0, o.core, s.get());
  });
}

arr_status arr_reduce_into(arr_array dst, int32_t reduction, arr_array a, int32_t naxes, const int32_t* axes,
                           int32_t keepdims, const arr_reduce_options* options, arr_stream stream_handle) {
  return guard("arr_reduce_into", [&] {
    auto to = array(dst, "dst");
    const arr::ReductionInfo& r = reduction_argument(reduction);
    auto x = array(a, "a");
    const Options o(options);
    auto s = stream(stream_handle);
    arr::reduce_into(*to, r, *x, mask_of(*x, naxes, axes), keepdims != 0, o.core, s.get());
  });
}

arr_status arr_ufunc_reduce(int32_t op, arr_array a, int32_t naxes, const int32_t* axes, int32_t keepdims,
                            const arr_reduce_options* options, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_ufunc_reduce", out, [&] {
    const arr::OpInfo& by = op_argument(op);
    auto x = array(a, "a");
    const Options o(options);
    auto s = stream(stream_handle);
    const uint32_t mask = mask_of(*x, naxes, axes);
    if (arr::is_order_dependent(by)) return arr::ordered_reduce(by, *x, mask, keepdims != 0, o.core, s.get());
    return arr::reduce(*arr::reducer_of(by), *x, mask, keepdims != 0, o.core, s.get());
  });
}

arr_status arr_logsumexp_weighted(arr_array a, arr_array b, int32_t naxes, const int32_t* axes,
                                  int32_t keepdims, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_logsumexp_weighted", out, [&] {
    auto x = array(a, "a");
    auto weights = array(b, "b");
    auto s = stream(stream_handle);
    const auto all = arr::weighted_logsumexp(*x, *weights, mask_of(*x, naxes, axes), keepdims != 0, s.get());
    return arr::positive_logarithm(all, s.get());
  });
}

arr_status arr_logsumexp_signed(arr_array a, arr_array b, int32_t naxes, const int32_t* axes,
                                int32_t keepdims, arr_stream stream_handle, arr_array* out,
                                arr_array* out_sign) {
  return guard("arr_logsumexp_signed", [&] {
    check_pointer(out, "out");
    check_pointer(out_sign, "out_sign");
    auto x = array(a, "a");
    auto weights = array(b, "b");
    auto s = stream(stream_handle);
    auto all = arr::weighted_logsumexp(*x, *weights, mask_of(*x, naxes, axes), keepdims != 0, s.get());
    arr_array made[2] = {};
    publish_all({std::move(all.logarithm), std::move(all.sign)}, made);
    *out = made[0];
    *out_sign = made[1];
  });
}

arr_status arr_average(arr_array a, arr_array weights, int32_t naxes, const int32_t* axes, int32_t keepdims,
                       arr_stream stream_handle, arr_array* out) {
  return make_array("arr_average", out, [&] {
    auto x = array(a, "a");
    const auto along = weights_along(*x, weights, naxes, axes);
    auto s = stream(stream_handle);
    return arr::average(*x, along.get(), mask_of(*x, naxes, axes), keepdims != 0, s.get());
  });
}

arr_status arr_average_returned(arr_array a, arr_array weights, int32_t naxes, const int32_t* axes,
                                int32_t keepdims, arr_stream stream_handle, arr_array* out_average,
                                arr_array* out_sum) {
  return guard("arr_average_returned", [&] {
    check_pointer(out_average, "out_average");
    check_pointer(out_sum, "out_sum");
    auto x = array(a, "a");
    const auto along = weights_along(*x, weights, naxes, axes);
    auto s = stream(stream_handle);
    auto both = arr::average_returned(*x, along.get(), mask_of(*x, naxes, axes), keepdims != 0, s.get());
    arr_array made[2] = {};
    publish_all({std::move(both.average), std::move(both.sum)}, made);
    *out_average = made[0];
    *out_sum = made[1];
  });
}

namespace {

arr::Pinned<arr::Array> optional_array(arr_array a) {
  return a == nullptr ? arr::Pinned<arr::Array>{0, nullptr} : array(a, "options");
}

template <class Body>
arr_status covariance(const char* function, const Target& to, arr_array m, const char* argument,
                      const arr_cov_options* given, arr_stream stream, Body&& body) noexcept {
  return give(function, to, stream, [&](arr::Stream* s) {
    auto x = array(m, argument);
    const arr_cov_options o = given == nullptr ? arr_cov_options{} : *given;
    if (given != nullptr) check_size(*given, "options");
    auto y = optional_array(o.y), fweights = optional_array(o.fweights),
         aweights = optional_array(o.aweights);
    arr::CovarianceRequest request;
    request.y = y.get();
    request.fweights = fweights.get();
    request.aweights = aweights.get();
    request.columns = o.columns != 0;
    request.ddof = o.ddof_set != 0 ? o.ddof : o.bias != 0 ? 0 : 1;
    if (o.dtype != 0) request.dtype = arr::dtype_from(o.dtype, "options");
    return body(*x, request, s);
  });
}

}  // namespace

arr_status arr_cov(arr_array m, const arr_cov_options* options, arr_stream stream, arr_array* out) {
  return covariance("arr_cov", made(out), m, "m", options, stream, arr::cov);
}

arr_status arr_cov_into(arr_array dst, arr_array m, const arr_cov_options* options, arr_stream stream) {
  return covariance("arr_cov_into", into(dst), m, "m", options, stream, arr::cov);
}

arr_status arr_corrcoef(arr_array x, const arr_cov_options* options, arr_stream stream, arr_array* out) {
  return covariance("arr_corrcoef", made(out), x, "x", options, stream,
                    [](const arr::Array& a, const arr::CovarianceRequest& r, auto* s) {
                      if (r.fweights != nullptr || r.aweights != nullptr) {
                        arr::fail(ARR_E_ARGUMENT, "argument options: correlations take no weights");
                      }
                      return arr::corrcoef(a, r, s);
                    });
}

arr_status arr_vector_norm(arr_array a, double p, int32_t naxes, const int32_t* axes, int32_t keepdims,
                           arr_stream stream_handle, arr_array* out) {
  return make_array("arr_vector_norm", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::vector_norm(*x, p, mask_of(*x, naxes, axes), keepdims != 0, s.get());
  });
}

arr_status arr_softmax(arr_array a, int32_t naxes, const int32_t* axes, arr_stream stream, arr_array* out) {
  return softmax("arr_softmax", false, a, naxes, axes, stream, out);
}

arr_status arr_log_softmax(arr_array a, int32_t naxes, const int32_t* axes, arr_stream stream,
                           arr_array* out) {
  return softmax("arr_log_softmax", true, a, naxes, axes, stream, out);
}
