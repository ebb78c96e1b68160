// SPDX-License-Identifier: MIT
// iterative.h: iterative solvers of linear equations.
#include "ops/iterative/solvers.h"

#include "capi/src/iterative/handles.h"
#include "capi/src/iterative/options.h"

using namespace arr::capi;
using arr::LinearOperator;

namespace {

// Options with their handles, kept alive.
struct Options {
  explicit Options(const arr_solve_options& o)
      : x0(optional_array(o.x0, "options")), m(optional_linop(o.m, "options")) {
    all.rtol = tolerance(o.rtol, all.rtol, "rtol");
    all.atol = tolerance(o.atol, 0, "atol");
    all.maxiter = limit(o.maxiter);
    all.x0 = x0.get();
    all.m = m.get();
    all.check_every = count(o.check_every, "check_every");
    all.restart = count(o.restart, "restart");
    all.augment = o.augment == 0 ? all.augment : std::max<int64_t>(o.augment, 0);
    all.shift = o.shift;
    if (o.callback != nullptr) {
      all.callback = [call = o.callback, ctx = o.ctx](int64_t i, double residual) {
        return call(ctx, i, residual);
      };
    }
  }
  arr::Pinned<arr::Array> x0;
  arr::Pinned<LinearOperator> m;
  arr::SolveOptions all;
};

arr_solve_options no_options() {
  arr_solve_options o = {};
  o.struct_size = sizeof(arr_solve_options);
  return o;
}

using Solver = arr::Solved (*)(const LinearOperator&, const arr::Array&, const arr::SolveOptions&,
                               arr::Stream*);

arr_status solve(const char* function, Solver solver, arr_linop a, arr_array b,
                 const arr_solve_options* options, arr_stream stream_handle, arr_array* out,
                 arr_solve_info* info) noexcept {
  return guard(function, [&] {
    check_pointer(out, "out");
    if (info != nullptr) check_size(*info, "info");
    if (options != nullptr) check_size(*options, "options");
    auto by = linop(a, "a");
    auto right = array(b, "b");
    auto s = stream(stream_handle);
    const Options o(options == nullptr ? no_options() : *options);
    arr::Solved solved;
    arr::lead(by->comm(), [&] { solved = solver(*by, *right, o.all, s.get()); });
    publish<arr::Array>(std::move(solved.x), out);
    if (info != nullptr) *info = {info->struct_size, solved.info, solved.iterations, solved.residual};
  });
}

}  // namespace

arr_status arr_solve_cg(arr_linop a, arr_array b, const arr_solve_options* options, arr_stream stream,
                        arr_array* out, arr_solve_info* info) {
  return solve("arr_solve_cg", arr::solve_cg, a, b, options, stream, out, info);
}

arr_status arr_solve_cgs(arr_linop a, arr_array b, const arr_solve_options* options, arr_stream stream,
                         arr_array* out, arr_solve_info* info) {
  return solve("arr_solve_cgs", arr::solve_cgs, a, b, options, stream, out, info);
}

arr_status arr_solve_bicgstab(arr_linop a, arr_array b, const arr_solve_options* options, arr_stream stream,
                              arr_array* out, arr_solve_info* info) {
  return solve("arr_solve_bicgstab", arr::solve_bicgstab, a, b, options, stream, out, info);
}

arr_status arr_solve_gmres(arr_linop a, arr_array b, const arr_solve_options* options, arr_stream stream,
                           arr_array* out, arr_solve_info* info) {
  return solve("arr_solve_gmres", arr::solve_gmres, a, b, options, stream, out, info);
}

arr_status arr_solve_tfqmr(arr_linop a, arr_array b, const arr_solve_options* options, arr_stream stream,
                           arr_array* out, arr_solve_info* info) {
  return solve("arr_solve_tfqmr", arr::solve_tfqmr, a, b, options, stream, out, info);
}

arr_status arr_solve_lgmres(arr_linop a, arr_array b, const arr_solve_options* options, arr_stream stream,
                            arr_array* out, arr_solve_info* info) {
  return solve("arr_solve_lgmres", arr::solve_lgmres, a, b, options, stream, out, info);
}

arr_status arr_solve_minres(arr_linop a, arr_array b, const arr_solve_options* options, arr_stream stream,
                            arr_array* out, arr_solve_info* info) {
  return solve("arr_solve_minres", arr::solve_minres, a, b, options, stream, out, info);
}
