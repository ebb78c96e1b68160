// SPDX-License-Identifier: MIT
// ufunc.h: the methods of ufuncs that reduce: reduce, accumulate, reduceat.
#include "arr/ufunc.h"
#include "capi/src/arguments.h"
#include "capi/src/reduce/arguments.h"
#include "ops/reduce/ordered.h"
#include "ops/reduce/scan.h"

using namespace arr::capi;

namespace {

const arr::OpInfo& reducing_op(int32_t op) {
  const arr::OpInfo& info = ufunc_argument(op);
  if (!arr::is_order_dependent(info) && arr::reducer_of(info) == nullptr)
    arr::fail(ARR_E_UNSUPPORTED, "argument op: ", info.name, " has no reduce");
  return info;
}

std::span<const int64_t> starts(int64_t nindices, const int64_t* indices) {
  if (nindices < 0) arr::fail(ARR_E_ARGUMENT, "argument nindices: ", nindices, " is negative");
  if (nindices > 0) check_pointer(indices, "indices");
  return {indices, static_cast<size_t>(nindices)};
}

}  // namespace

arr_status arr_ufunc_reduce(int32_t op, arr_array a, int32_t naxes, const int32_t* axes, bool keepdims,
                            const arr_reduce_options* options, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_ufunc_reduce", out, [&] {
    const arr::OpInfo& by = reducing_op(op);
    auto x = array(a, "a");
    const Options o(options);
    auto s = stream(stream_handle);
    const uint32_t mask = mask_of(*x, naxes, axes);
    if (arr::is_order_dependent(by)) return arr::ordered_reduce(by, *x, mask, keepdims, o.core, s.get());
    return arr::reduce(*arr::reducer_of(by), *x, mask, keepdims, o.core, s.get());
  });
}

arr_status arr_ufunc_accumulate(int32_t op, arr_array a, int32_t axis, arr_dtype dtype,
                                arr_stream stream_handle, arr_array* out) {
  return make_array("arr_ufunc_accumulate", out, [&] {
    const arr::OpInfo& by = ufunc_argument(op);
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::accumulate(by, *x, axis, optional_dtype(dtype), s.get());
  });
}

arr_status arr_ufunc_accumulate_into(arr_array dst, int32_t op, arr_array a, int32_t axis, arr_dtype dtype,
                                     arr_stream stream_handle) {
  return guard("arr_ufunc_accumulate_into", [&] {
    auto to = array(dst, "dst");
    const arr::OpInfo& by = ufunc_argument(op);
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::accumulate_into(*to, by, *x, axis, optional_dtype(dtype), s.get());
  });
}

arr_status arr_ufunc_reduceat(int32_t op, arr_array a, int64_t nindices, const int64_t* indices, int32_t axis,
                              arr_dtype dtype, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_ufunc_reduceat", out, [&] {
    const arr::OpInfo& by = ufunc_argument(op);
    const std::span<const int64_t> slices = starts(nindices, indices);
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::reduceat(by, *x, slices, axis, optional_dtype(dtype), s.get());
  });
}

arr_status arr_ufunc_reduceat_into(arr_array dst, int32_t op, arr_array a, int64_t nindices,
                                   const int64_t* indices, int32_t axis, arr_dtype dtype,
                                   arr_stream stream_handle) {
  return guard("arr_ufunc_reduceat_into", [&] {
    auto to = array(dst, "dst");
    const arr::OpInfo& by = ufunc_argument(op);
    const std::span<const int64_t> slices = starts(nindices, indices);
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::reduceat_into(*to, by, *x, slices, axis, optional_dtype(dtype), s.get());
  });
}
