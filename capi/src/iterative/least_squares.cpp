// SPDX-License-Identifier: MIT
// iterative.h: iterative least-squares solvers.
#include "ops/iterative/least_squares.h"

#include "capi/src/iterative/handles.h"
#include "capi/src/iterative/options.h"

using namespace arr::capi;
using arr::LinearOperator;

namespace {

using LeastSquaresSolver = arr::LsqrResult (*)(const LinearOperator&, const arr::Array&,
                                               const arr::LsqrOptions&, arr::Stream*);

void set(arr::LsqrOptions* to, const arr_lsqr_options& o) {
  to->damp = o.damp;
  to->atol = tolerance(o.atol, to->atol, "atol");
  to->btol = tolerance(o.btol, to->btol, "btol");
  to->conlim = tolerance(o.conlim, to->conlim, "conlim");
  to->maxiter = limit(o.maxiter);
  if (o.callback == nullptr) return;
  to->callback = [call = o.callback, ctx = o.ctx](int64_t i, double residual) {
    return call(ctx, i, residual);
  };
}

arr_status solve(const char* function, LeastSquaresSolver solver, arr_linop a, arr_array b,
                 const arr_lsqr_options* options, arr_stream stream_handle, arr_array* out,
                 arr_array* out_var, arr_lsqr_info* info) noexcept {
  return guard(function, [&] {
    check_pointer(out, "out");
    if (info != nullptr) check_size(*info, "info");
    arr::LsqrOptions o;
    if (options != nullptr) {
      check_size(*options, "options");
      set(&o, *options);
    }
    auto by = linop(a, "a");
    auto right = array(b, "b");
    auto x0 = optional_array(options == nullptr ? nullptr : options->x0, "options");
    auto s = stream(stream_handle);
    o.x0 = x0.get();
    o.var = out_var != nullptr;
    arr::LsqrResult r;
    arr::lead(by->comm(), [&] { r = solver(*by, *right, o, s.get()); });
    arr_array made[2] = {};
    std::vector<arr::Ref<arr::Array>> arrays{std::move(r.x)};
    if (out_var != nullptr) arrays.push_back(std::move(r.var));
    publish_all(std::move(arrays), made);
    *out = made[0];
    if (out_var != nullptr) *out_var = made[1];
    if (info != nullptr) {
      *info = {info->struct_size, r.istop, r.iterations, r.r1norm, r.r2norm,
               r.anorm,           r.acond, r.arnorm,     r.xnorm};
    }
  });
}

}  // namespace

arr_status arr_solve_lsqr(arr_linop a, arr_array b, const arr_lsqr_options* options, arr_stream stream,
                          arr_array* out, arr_array* out_var, arr_lsqr_info* info) {
  return solve("arr_solve_lsqr", arr::solve_lsqr, a, b, options, stream, out, out_var, info);
}

arr_status arr_solve_lsmr(arr_linop a, arr_array b, const arr_lsqr_options* options, arr_stream stream,
                          arr_array* out, arr_lsqr_info* info) {
  return solve("arr_solve_lsmr", arr::solve_lsmr, a, b, options, stream, out, nullptr, info);
}
