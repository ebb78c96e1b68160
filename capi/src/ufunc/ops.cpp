// SPDX-License-Identifier: MIT
// ops.h and reduce.h: a body per row of the tables.
#include "arr/ops.h"

#include "capi/src/entry.h"
#include "ops/reduce/reduce.h"

using namespace arr::capi;
using arr::Input;

namespace {

constexpr const char* names[] = {"x", "y", "z"};

template <size_t N, size_t... I>
arr_status run(const char* function, int32_t op, const arr_array (&in)[N], arr_stream stream_handle,
               arr_array* out, std::index_sequence<I...>) noexcept {
  return make_array(function, out, [&] {
    arr::Pinned<arr::Array> pinned[N] = {array(in[I], names[I])...};
    Input inputs[N] = {Input{pinned[I].get(), {}, false}...};
    auto s = stream(stream_handle);
    return arr::elementwise(*arr::op_info(op), inputs, {}, s.get());
  });
}

template <size_t N, size_t... I>
arr_status run_into(const char* function, int32_t op, arr_array dst, const arr_array (&in)[N],
                    arr_stream stream_handle, std::index_sequence<I...>) noexcept {
  return guard(function, [&] {
    auto to = array(dst, "dst");
    arr::Pinned<arr::Array> pinned[N] = {array(in[I], names[I])...};
    Input inputs[N] = {Input{pinned[I].get(), {}, false}...};
    auto s = stream(stream_handle);
    arr::elementwise_into(*to, *arr::op_info(op), inputs, s.get());
  });
}

template <size_t N>
arr_status run_values(const char* function, int32_t op, const arr_value* const (&in)[N],
                      arr_stream stream_handle, arr_array* out) noexcept {
  return make_array(function, out, [&] {
    Operands operands;
    for (size_t i = 0; i < N; ++i) operands.add(in[i], names[i]);
    auto s = stream(stream_handle);
    return arr::elementwise(*arr::op_info(op), operands.inputs(), {}, s.get());
  });
}

template <size_t N>
arr_status run_values_into(const char* function, int32_t op, arr_array dst, const arr_value* const (&in)[N],
                           arr_stream stream_handle) noexcept {
  return guard(function, [&] {
    auto to = array(dst, "dst");
    Operands operands;
    for (size_t i = 0; i < N; ++i) operands.add(in[i], names[i]);
    auto s = stream(stream_handle);
    arr::elementwise_into(*to, *arr::op_info(op), operands.inputs(), s.get());
  });
}

template <size_t N, size_t... I>
arr_status run_pair(const char* function, int32_t pair, const arr_array (&in)[N], arr_stream stream_handle,
                    arr_array* first, arr_array* second, const char* first_name, const char* second_name,
                    std::index_sequence<I...>) noexcept {
  return guard(function, [&] {
    check_pointer(first, first_name);
    check_pointer(second, second_name);
    arr::Pinned<arr::Array> pinned[N] = {array(in[I], names[I])...};
    Input inputs[N] = {Input{pinned[I].get(), {}, false}...};
    auto s = stream(stream_handle);
    arr_array made[2];
    publish_all(arr::elementwise_pair(*arr::pair_info(pair), inputs, {}, s.get()), made);
    *first = made[0];
    *second = made[1];
  });
}

arr_status reduce(const char* function, int32_t number, arr_array a, int32_t naxes, const int32_t* axes,
                  bool keepdims, double correction, arr_stream stream_handle, arr_array* out) noexcept {
  return make_array(function, out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::ReduceOptions o;
    o.correction = correction;
    return arr::reduce(*arr::reduction_info(number), *x, arr::axis_mask(x->layout.ndim, naxes, axes),
                       keepdims, o, s.get());
  });
}

arr_status reduce_into(const char* function, int32_t number, arr_array dst, arr_array a, int32_t naxes,
                       const int32_t* axes, bool keepdims, double correction,
                       arr_stream stream_handle) noexcept {
  return guard(function, [&] {
    auto to = array(dst, "dst");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::ReduceOptions o;
    o.correction = correction;
    arr::reduce_into(*to, *arr::reduction_info(number), *x, arr::axis_mask(x->layout.ndim, naxes, axes),
                     keepdims, o, s.get());
  });
}

}  // namespace

#define ARR_BODIES_1(number, name)                                                                     \
  arr_status arr_##name(arr_array x, arr_stream stream, arr_array* out) {                              \
    return run<1>("arr_" #name, number, {x}, stream, out, std::make_index_sequence<1>());              \
  }                                                                                                    \
  arr_status arr_##name##_into(arr_array dst, arr_array x, arr_stream stream) {                        \
    return run_into<1>("arr_" #name "_into", number, dst, {x}, stream, std::make_index_sequence<1>()); \
  }
#define ARR_BODIES_2(number, name)                                                                           \
  arr_status arr_##name(arr_array x, arr_array y, arr_stream stream, arr_array* out) {                       \
    return run<2>("arr_" #name, number, {x, y}, stream, out, std::make_index_sequence<2>());                 \
  }                                                                                                          \
  arr_status arr_##name##_into(arr_array dst, arr_array x, arr_array y, arr_stream stream) {                 \
    return run_into<2>("arr_" #name "_into", number, dst, {x, y}, stream, std::make_index_sequence<2>());    \
  }                                                                                                          \
  arr_status arr_##name##_v(const arr_value* x, const arr_value* y, arr_stream stream, arr_array* out) {     \
    return run_values<2>("arr_" #name "_v", number, {x, y}, stream, out);                                    \
  }                                                                                                          \
  arr_status arr_##name##_v_into(arr_array dst, const arr_value* x, const arr_value* y, arr_stream stream) { \
    return run_values_into<2>("arr_" #name "_v_into", number, dst, {x, y}, stream);                          \
  }
#define ARR_BODIES_3(number, name)                                                                           \
  arr_status arr_##name(arr_array x, arr_array y, arr_array z, arr_stream stream, arr_array* out) {          \
    return run<3>("arr_" #name, number, {x, y, z}, stream, out, std::make_index_sequence<3>());              \
  }                                                                                                          \
  arr_status arr_##name##_into(arr_array dst, arr_array x, arr_array y, arr_array z, arr_stream stream) {    \
    return run_into<3>("arr_" #name "_into", number, dst, {x, y, z}, stream, std::make_index_sequence<3>()); \
  }                                                                                                          \
  arr_status arr_##name##_v(const arr_value* x, const arr_value* y, const arr_value* z, arr_stream stream,   \
                            arr_array* out) {                                                                \
    return run_values<3>("arr_" #name "_v", number, {x, y, z}, stream, out);                                 \
  }                                                                                                          \
  arr_status arr_##name##_v_into(arr_array dst, const arr_value* x, const arr_value* y, const arr_value* z,  \
                                 arr_stream stream) {                                                        \
    return run_values_into<3>("arr_" #name "_v_into", number, dst, {x, y, z}, stream);                       \
  }
#define ARR_OP(number, name, nin, ...) ARR_BODIES_##nin(number, name)
#include "table/ops.def"
#undef ARR_OP

#define ARR_PAIR_PARAMS_1 arr_array x
#define ARR_PAIR_PARAMS_2 arr_array x, arr_array y
#define ARR_PAIR_ARGS_1 \
  { x }
#define ARR_PAIR_ARGS_2 \
  { x, y }
#define ARR_PAIR(number, name, nin, first, second, out1, out2, ...)                                 \
  arr_status arr_##name(ARR_PAIR_PARAMS_##nin, arr_stream stream, arr_array* out_##out1,            \
                        arr_array* out_##out2) {                                                    \
    return run_pair<nin>("arr_" #name, number, ARR_PAIR_ARGS_##nin, stream, out_##out1, out_##out2, \
                         "out_" #out1, "out_" #out2, std::make_index_sequence<nin>());              \
  }
#include "table/pairs.def"
#undef ARR_PAIR

#define ARR_REDUCTION_PLAIN(number, name)                                                                  \
  arr_status arr_##name(arr_array a, int32_t naxes, const int32_t* axes, bool keepdims, arr_stream stream, \
                        arr_array* out) {                                                                  \
    return reduce("arr_" #name, number, a, naxes, axes, keepdims, 0, stream, out);                         \
  }                                                                                                        \
  arr_status arr_##name##_into(arr_array dst, arr_array a, int32_t naxes, const int32_t* axes,             \
                               bool keepdims, arr_stream stream) {                                         \
    return reduce_into("arr_" #name "_into", number, dst, a, naxes, axes, keepdims, 0, stream);            \
  }
#define ARR_REDUCTION_CORRECTION(number, name)                                                             \
  arr_status arr_##name(arr_array a, int32_t naxes, const int32_t* axes, bool keepdims, double correction, \
                        arr_stream stream, arr_array* out) {                                               \
    return reduce("arr_" #name, number, a, naxes, axes, keepdims, correction, stream, out);                \
  }                                                                                                        \
  arr_status arr_##name##_into(arr_array dst, arr_array a, int32_t naxes, const int32_t* axes,             \
                               bool keepdims, double correction, arr_stream stream) {                      \
    return reduce_into("arr_" #name "_into", number, dst, a, naxes, axes, keepdims, correction, stream);   \
  }
#define ARR_REDUCTION_HIDDEN(number, name)
#define ARR_REDUCTION(number, name, kind, domain, acc, out, empty, identity, combine, finish, doc, cupy, \
                      map, state, call, ufunc)                                                           \
  ARR_REDUCTION_##call(number, name)
#include "table/reductions.def"
#undef ARR_REDUCTION
