// SPDX-License-Identifier: MIT
// statistics.h: covariances and correlations.
#include "ops/statistics/covariance.h"

#include "arr/statistics.h"
#include "capi/src/output.h"

using namespace arr::capi;

namespace {

template <class Body>
arr_status covariance(const char* function, const Output& to, arr_array m, const char* argument,
                      const arr_cov_options* given, arr_stream stream, Body&& body) noexcept {
  return write_or_create(function, to, stream, [&](arr::Stream* s) {
    auto x = array(m, argument);
    const arr_cov_options o = given == nullptr ? arr_cov_options{} : *given;
    if (given != nullptr) check_size(*given, "options");
    auto y = optional_array(o.y, "options"), fweights = optional_array(o.fweights, "options"),
         aweights = optional_array(o.aweights, "options");
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
  return covariance("arr_cov", new_output(out), m, "m", options, stream, arr::cov);
}

arr_status arr_cov_into(arr_array dst, arr_array m, const arr_cov_options* options, arr_stream stream) {
  return covariance("arr_cov_into", existing_output(dst), m, "m", options, stream, arr::cov);
}

arr_status arr_corrcoef(arr_array x, const arr_cov_options* options, arr_stream stream, arr_array* out) {
  return covariance("arr_corrcoef", new_output(out), x, "x", options, stream,
                    [](const arr::Array& a, const arr::CovarianceRequest& r, auto* s) {
                      if (r.fweights != nullptr || r.aweights != nullptr) {
                        arr::fail(ARR_E_ARGUMENT,
                                  "argument options: correlation coefficients do not take weights");
                      }
                      return arr::corrcoef(a, r, s);
                    });
}
