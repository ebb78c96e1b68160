// SPDX-License-Identifier: MIT
// expr_reductions.h: reductions and scans of expressions, and the text of their kernels.
#include "arr/expr_reductions.h"

#include "capi/src/expression/arguments.h"
#include "capi/src/reduce/arguments.h"

using namespace arr::capi;
using arr::Expression;

namespace {

arr::ReduceRequest request(int32_t reduction, int32_t naxes, const int32_t* axes, bool keepdims,
                           const Options& options) {
  return {&reduction_argument(reduction), naxes, axes, keepdims, options.core};
}

}  // namespace

arr_status arr_expr_reduce(arr_expr e, int32_t node, int32_t reduction, int32_t naxes, const int32_t* axes,
                           bool keepdims, int32_t nin, const arr_array* in, arr_stream stream_handle,
                           arr_array* out) {
  return make_array("arr_expr_reduce", out, [&] {
    auto expr = lookup<Expression>(e, "e");
    auto s = stream(stream_handle);
    const arr::ReductionInfo& r = reduction_argument(reduction);
    InputArrays inputs(nin, in);
    return arr::run_reduce(*expr, node, {&r, naxes, axes, keepdims, {}}, inputs.list(), s.get());
  });
}

arr_status arr_expr_reduce_into(arr_array dst, arr_expr e, int32_t node, int32_t reduction, int32_t naxes,
                                const int32_t* axes, bool keepdims, int32_t nin, const arr_array* in,
                                arr_stream stream_handle) {
  return guard("arr_expr_reduce_into", [&] {
    auto to = array(dst, "dst");
    auto expr = lookup<Expression>(e, "e");
    auto s = stream(stream_handle);
    const arr::ReductionInfo& r = reduction_argument(reduction);
    InputArrays inputs(nin, in);
    arr::run_reduce_into(*to, *expr, node, {&r, naxes, axes, keepdims, {}}, inputs.list(), s.get());
  });
}

arr_status arr_expr_reduce_with(arr_expr e, int32_t node, int32_t reduction, int32_t naxes,
                                const int32_t* axes, bool keepdims, const arr_reduce_options* options,
                                int32_t nin, const arr_array* in, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_expr_reduce_with", out, [&] {
    auto expr = lookup<Expression>(e, "e");
    auto s = stream(stream_handle);
    const Options o(options);
    const arr::ReduceRequest r = request(reduction, naxes, axes, keepdims, o);
    InputArrays inputs(nin, in);
    return arr::run_reduce(*expr, node, r, inputs.list(), s.get());
  });
}

arr_status arr_expr_reduce_with_into(arr_array dst, arr_expr e, int32_t node, int32_t reduction,
                                     int32_t naxes, const int32_t* axes, bool keepdims,
                                     const arr_reduce_options* options, int32_t nin, const arr_array* in,
                                     arr_stream stream_handle) {
  return guard("arr_expr_reduce_with_into", [&] {
    auto to = array(dst, "dst");
    auto expr = lookup<Expression>(e, "e");
    auto s = stream(stream_handle);
    const Options o(options);
    const arr::ReduceRequest r = request(reduction, naxes, axes, keepdims, o);
    InputArrays inputs(nin, in);
    arr::run_reduce_into(*to, *expr, node, r, inputs.list(), s.get());
  });
}

arr_status arr_expr_describe_reduce(arr_expr e, int32_t node, int32_t reduction, int32_t naxes,
                                    const int32_t* axes, bool keepdims, const arr_reduce_options* options,
                                    int32_t nin, const arr_array* in, int64_t capacity, char* text,
                                    int64_t* length) {
  return guard("arr_expr_describe_reduce", [&] {
    auto expr = lookup<Expression>(e, "e");
    const Options o(options);
    const arr::ReduceRequest r = request(reduction, naxes, axes, keepdims, o);
    InputArrays inputs(nin, in);
    put_text(arr::explain_reduce(*expr, node, r, inputs.list()), capacity, text, length);
  });
}

arr_status arr_expr_source_reduce(arr_expr e, int32_t node, int32_t reduction, int32_t naxes,
                                  const int32_t* axes, bool keepdims, const arr_reduce_options* options,
                                  int32_t nin, const arr_array* in, int32_t device_type, int64_t capacity,
                                  char* text, int64_t* length) {
  return guard("arr_expr_source_reduce", [&] {
    auto expr = lookup<Expression>(e, "e");
    const Options o(options);
    const arr::ReduceRequest r = request(reduction, naxes, axes, keepdims, o);
    InputArrays inputs(nin, in);
    put_text(arr::source_reduce(*expr, node, r, inputs.list(), device_type), capacity, text, length);
  });
}

arr_status arr_expr_scan(arr_expr e, int32_t node, int32_t reduction, int32_t axis, int32_t nin,
                         const arr_array* in, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_expr_scan", out, [&] {
    auto expr = lookup<Expression>(e, "e");
    auto s = stream(stream_handle);
    const arr::ReductionInfo& r = reduction_argument(reduction);
    InputArrays inputs(nin, in);
    return arr::run_scan(*expr, node, r, axis, inputs.list(), s.get());
  });
}

arr_status arr_expr_scan_into(arr_array dst, arr_expr e, int32_t node, int32_t reduction, int32_t axis,
                              int32_t nin, const arr_array* in, arr_stream stream_handle) {
  return guard("arr_expr_scan_into", [&] {
    auto to = array(dst, "dst");
    auto expr = lookup<Expression>(e, "e");
    auto s = stream(stream_handle);
    const arr::ReductionInfo& r = reduction_argument(reduction);
    InputArrays inputs(nin, in);
    arr::run_scan_into(*to, *expr, node, r, axis, inputs.list(), s.get());
  });
}

arr_status arr_expr_describe_scan(arr_expr e, int32_t node, int32_t reduction, int32_t axis, int32_t nin,
                                  const arr_array* in, int64_t capacity, char* text, int64_t* length) {
  return guard("arr_expr_describe_scan", [&] {
    auto expr = lookup<Expression>(e, "e");
    const arr::ReductionInfo& r = reduction_argument(reduction);
    InputArrays inputs(nin, in);
    put_text(arr::explain_scan(*expr, node, r, axis, inputs.list()), capacity, text, length);
  });
}

arr_status arr_expr_source_scan(arr_expr e, int32_t node, int32_t reduction, int32_t axis, int32_t nin,
                                const arr_array* in, int32_t device_type, int64_t capacity, char* text,
                                int64_t* length) {
  return guard("arr_expr_source_scan", [&] {
    auto expr = lookup<Expression>(e, "e");
    const arr::ReductionInfo& r = reduction_argument(reduction);
    InputArrays inputs(nin, in);
    put_text(arr::source_scan(*expr, node, r, axis, inputs.list(), device_type), capacity, text, length);
  });
}
