// SPDX-License-Identifier: MIT
// expr.h: fused expressions.
#include "arr/expr.h"

#include "backend/services.h"
#include "base/renaming.h"
#include "capi/src/expression/arguments.h"

using namespace arr::capi;
using arr::Expression;

namespace {

std::span<const int32_t> nodes_argument(int32_t nnodes, const int32_t* nodes) {
  if (nnodes < 1 || nnodes > Expression::max_results) {
    arr::fail(ARR_E_ARGUMENT, "argument nnodes: ", nnodes, ", expected 1 to ", Expression::max_results);
  }
  check_pointer(nodes, "nodes");
  return {nodes, static_cast<size_t>(nnodes)};
}

}  // namespace

arr_status arr_expr_create(arr_expr* out) {
  return guard("arr_expr_create", [&] {
    check_pointer(out, "out");
    publish<Expression>(arr::make<Expression>(), out);
  });
}

arr_status arr_expr_input(arr_expr e, int32_t index, int32_t* node) {
  return guard("arr_expr_input", [&] {
    check_pointer(node, "node");
    *node = lookup<Expression>(e, "e")->input(index);
  });
}

arr_status arr_expr_constant(arr_expr e, const arr_value* value, int32_t* node) {
  return guard("arr_expr_constant", [&] {
    check_pointer(node, "node");
    arr::Scalar s = scalar_argument(value, "value");
    *node = lookup<Expression>(e, "e")->constant(s, is_weak(*value));
  });
}

arr_status arr_expr_op(arr_expr e, int32_t op, int32_t nargs, const int32_t* args, int32_t* node) {
  return guard("arr_expr_op", [&] {
    check_pointer(node, "node");
    if (nargs < 0) arr::fail(ARR_E_ARGUMENT, "argument nargs: ", nargs, " is negative");
    check_pointer(args, "args");
    *node = lookup<Expression>(e, "e")->op(op, {args, static_cast<size_t>(nargs)});
  });
}

arr_status arr_expr_index(arr_expr e, int32_t axis, int32_t* node) {
  return guard("arr_expr_index", [&] {
    check_pointer(node, "node");
    *node = lookup<Expression>(e, "e")->index(axis);
  });
}

arr_status arr_expr_gather(arr_expr e, int32_t index, int32_t nindices, const int32_t* indices,
                           int32_t bounds, int32_t* node) {
  return guard("arr_expr_gather", [&] {
    check_pointer(node, "node");
    if (nindices < 0) arr::fail(ARR_E_ARGUMENT, "argument nindices: ", nindices, " is negative");
    if (nindices > 0) check_pointer(indices, "indices");
    *node = lookup<Expression>(e, "e")->gather(index, {indices, static_cast<size_t>(nindices)},
                                               arr::bounds_from(bounds));
  });
}

arr_status arr_expr_parse(const char* text, int64_t length, int32_t nvars, const char* const* vars,
                          int32_t* node, arr_expr* out) {
  return guard("arr_expr_parse", [&] {
    check_pointer(node, "node");
    check_pointer(out, "out");
    std::string_view formula = string_argument(text, length, "text");
    if (nvars < 0) arr::fail(ARR_E_ARGUMENT, "argument nvars: ", nvars, " is negative");
    if (nvars > 0) check_pointer(vars, "vars");
    for (int32_t i = 0; i < nvars; ++i) check_pointer(vars[i], "vars");
    auto e = arr::make<Expression>();
    int32_t whole = arr::parse(*e, formula, {vars, static_cast<size_t>(nvars)});
    publish<Expression>(std::move(e), out);
    *node = whole;
  });
}

arr_status arr_expr_nvars(arr_expr e, int32_t* count) {
  return guard("arr_expr_nvars", [&] {
    check_pointer(count, "count");
    *count = static_cast<int32_t>(lookup<Expression>(e, "e")->input_names().size());
  });
}

arr_status arr_expr_var(arr_expr e, int32_t index, int64_t capacity, char* text, int64_t* length) {
  return guard("arr_expr_var", [&] {
    auto names = lookup<Expression>(e, "e")->input_names();
    if (index < 0 || static_cast<size_t>(index) >= names.size()) {
      arr::fail(ARR_E_ARGUMENT, "argument index: ", index, ", there are ", names.size(), " named inputs");
    }
    put_text(names[static_cast<size_t>(index)], capacity, text, length);
  });
}

arr_status arr_expr_cast(arr_expr e, int32_t arg, arr_dtype dtype, int32_t* node) {
  return guard("arr_expr_cast", [&] {
    check_pointer(node, "node");
    *node = lookup<Expression>(e, "e")->cast(arg, arr::dtype_from(dtype));
  });
}

arr_status arr_expr_run(arr_expr e, int32_t node, int32_t nin, const arr_array* in, arr_stream stream_handle,
                        arr_array* out) {
  return make_array("arr_expr_run", out, [&] {
    auto expr = lookup<Expression>(e, "e");
    auto s = stream(stream_handle);
    InputArrays inputs(nin, in);
    return arr::run(*expr, node, inputs.list(), s.get());
  });
}

arr_status arr_expr_run_into(arr_array dst, arr_expr e, int32_t node, int32_t nin, const arr_array* in,
                             arr_stream stream_handle) {
  return guard("arr_expr_run_into", [&] {
    auto to = array(dst, "dst");
    auto expr = lookup<Expression>(e, "e");
    auto s = stream(stream_handle);
    InputArrays inputs(nin, in);
    arr::run_into(*to, *expr, node, inputs.list(), s.get());
  });
}

arr_status arr_expr_run_many(arr_expr e, int32_t nnodes, const int32_t* nodes, int32_t nin,
                             const arr_array* in, arr_stream stream_handle, arr_array* out) {
  return guard("arr_expr_run_many", [&] {
    check_pointer(out, "out");
    auto expr = lookup<Expression>(e, "e");
    const std::span<const int32_t> all = nodes_argument(nnodes, nodes);
    auto s = stream(stream_handle);
    InputArrays inputs(nin, in);
    publish_all(
        arr::renaming({{"node", "nodes"}}, [&] { return arr::run_many(*expr, all, inputs.list(), s.get()); }),
        out);
  });
}

arr_status arr_expr_run_many_into(int32_t nnodes, const arr_array* dsts, arr_expr e, const int32_t* nodes,
                                  int32_t nin, const arr_array* in, arr_stream stream_handle) {
  return guard("arr_expr_run_many_into", [&] {
    auto expr = lookup<Expression>(e, "e");
    const std::span<const int32_t> all = nodes_argument(nnodes, nodes);
    auto s = stream(stream_handle);
    InputArrays to(nnodes, dsts, "nnodes", "dsts"), inputs(nin, in);
    arr::renaming({{"node", "nodes"}, {"dst", "dsts"}},
                  [&] { arr::run_many_into(to.list(), *expr, all, inputs.list(), s.get()); });
  });
}

arr_status arr_expr_call(arr_expr e, int32_t nnodes, const int32_t* nodes, int32_t nin, const arr_value* in,
                         arr_stream stream_handle, arr_array* out) {
  return guard("arr_expr_call", [&] {
    check_pointer(out, "out");
    auto expr = lookup<Expression>(e, "e");
    auto s = stream(stream_handle);
    const InputValues inputs(nin, in);
    const auto all = nodes_argument(nnodes, nodes);
    publish_all(
        arr::renaming({{"node", "nodes"}}, [&] { return arr::run_many(*expr, all, inputs.list(), s.get()); }),
        out);
  });
}

arr_status arr_expr_call_into(int32_t nnodes, const arr_array* dsts, arr_expr e, const int32_t* nodes,
                              int32_t nin, const arr_value* in, arr_stream stream_handle) {
  return guard("arr_expr_call_into", [&] {
    auto expr = lookup<Expression>(e, "e");
    auto s = stream(stream_handle);
    const auto all = nodes_argument(nnodes, nodes);
    const InputArrays to(nnodes, dsts, "nnodes", "dsts");
    const InputValues inputs(nin, in);
    arr::renaming({{"node", "nodes"}, {"dst", "dsts"}},
                  [&] { arr::run_many_into(to.list(), *expr, all, inputs.list(), s.get()); });
  });
}

arr_status arr_evaluate(const char* text, int64_t length, int32_t nin, const arr_value* in,
                        arr_stream stream_handle, arr_array* out) {
  return guard("arr_evaluate", [&] {
    check_pointer(out, "out");
    auto s = stream(stream_handle);
    const InputValues inputs(nin, in);
    const arr::Formula f = arr::formula_of(string_argument(text, length, "text"));
    publish_all(arr::run_many(*f.expression, {&f.node, 1}, inputs.list(), s.get()), out);
  });
}

arr_status arr_evaluate_into(arr_array dst, const char* text, int64_t length, int32_t nin,
                             const arr_value* in, arr_stream stream_handle) {
  return guard("arr_evaluate_into", [&] {
    auto to = array(dst, "dst");
    auto s = stream(stream_handle);
    const InputValues inputs(nin, in);
    const arr::Formula f = arr::formula_of(string_argument(text, length, "text"));
    const arr::Array* one[] = {to.get()};
    arr::run_many_into(one, *f.expression, {&f.node, 1}, inputs.list(), s.get());
  });
}

arr_status arr_expr_describe(arr_expr e, int32_t node, int32_t nin, const arr_array* in, int64_t capacity,
                             char* text, int64_t* length) {
  return guard("arr_expr_describe", [&] {
    auto expr = lookup<Expression>(e, "e");
    InputArrays inputs(nin, in);
    put_text(arr::explain(*expr, node, inputs.list()), capacity, text, length);
  });
}

arr_status arr_expr_source(arr_expr e, int32_t node, int32_t nin, const arr_array* in, int32_t device_type,
                           int64_t capacity, char* text, int64_t* length) {
  return guard("arr_expr_source", [&] {
    auto expr = lookup<Expression>(e, "e");
    InputArrays inputs(nin, in);
    put_text(arr::source(*expr, node, inputs.list(), device_type), capacity, text, length);
  });
}

arr_status arr_expr_info(arr_expr_stats* stats) {
  return guard("arr_expr_info", [&] {
    check_pointer(stats, "stats");
    check_size(*stats, "stats");
    int64_t kernels = 0;
    if (arr::backend_state(ARR_CUDA).state == ARR_BACKEND_WORKING) {
      arr::call(arr::api<arr::ServiceApi>(arr::backend(ARR_CUDA)).kernel_count, &kernels);
    }
    *stats = {sizeof(arr_expr_stats), Expression::max_inputs, Expression::max_results,  Expression::max_nodes,
              arr::max_parse_bytes,   arr::max_parse_depth,   arr::interned_programs(), kernels};
  });
}

arr_status arr_expr_release(arr_expr e) { return release(e, arr::Kind::expr); }
