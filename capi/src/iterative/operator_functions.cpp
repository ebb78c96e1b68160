// SPDX-License-Identifier: MIT
// iterative.h: functions of linear operators.
#include "ops/iterative/operator_functions.h"

#include "capi/src/iterative/handles.h"
#include "capi/src/linalg/arguments.h"

using namespace arr::capi;

arr_status arr_onenormest(arr_linop a, int64_t t, int64_t itmax, arr_stream stream_handle, double* est,
                          arr_array* out_v, arr_array* out_w) {
  return guard("arr_onenormest", [&] {
    check_pointer(est, "est");
    auto by = linop(a, "a");
    auto s = stream(stream_handle);
    const arr::NormEstimate e = arr::onenormest(*by, t, itmax, s.get());
    put_all({as_result(e.v), as_result(e.w)}, {out_v, out_w});
    *est = e.norm;
  });
}

arr_status arr_expm_multiply(arr_linop a, arr_array b, const arr_expm_options* options,
                             arr_stream stream_handle, arr_array* out) {
  return make_array("arr_expm_multiply", out, [&] {
    auto by = linop(a, "a");
    auto x = array(b, "b");
    arr::ExpmOptions o;
    if (options != nullptr) {
      check_size(*options, "options");
      o.num = options->num;
      o.start = options->start;
      o.stop = options->stop;
      if (options->exclude_stop != 0 && options->exclude_stop != 1) {
        arr::fail(ARR_E_ARGUMENT, "argument options: exclude_stop is ", options->exclude_stop,
                  ", expected 0 or 1");
      }
      o.open = options->exclude_stop == 1;
      const double *re = options->trace_re, *im = options->trace_im;
      if (re != nullptr || im != nullptr) o.trace = {re == nullptr ? 0 : *re, im == nullptr ? 0 : *im};
    }
    auto s = stream(stream_handle);
    return arr::expm_multiply(*by, *x, o, s.get());
  });
}
