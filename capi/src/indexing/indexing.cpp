// SPDX-License-Identifier: MIT
// indexing.h: indexing with index arrays and masks, choices.
#include "arr/indexing.h"

#include "capi/src/arguments.h"
#include "capi/src/indexing/arguments.h"
#include "ops/indexing/index.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"

using namespace arr::capi;

namespace {

const arr::OpInfo& single(int32_t op) {
  const arr::OpInfo* info = arr::op_info(op);
  if (info == nullptr) arr::fail(ARR_E_ARGUMENT, "argument op: ", op, " is not the number of an operation");
  return *info;
}

// A selection into an array of a given extent.
template <class Body>
arr_status sized(const char* function, arr_array dst, arr_array count, arr_array a, arr_stream stream_handle,
                 Body&& body) noexcept {
  return guard(function, [&] {
    auto to = array(dst, "dst"), n = array(count, "count"), x = array(a, "a");
    auto s = stream(stream_handle);
    body(*to, *n, *x, s.get());
  });
}

}  // namespace

arr_status arr_get_items(arr_array a, int32_t nindices, const arr_index* indices, int32_t bounds,
                         arr_stream stream_handle, arr_array* out) {
  return make_array("arr_get_items", out, [&] {
    auto x = array(a, "a");
    const Indices all(nindices, indices);
    auto s = stream(stream_handle);
    return arr::get_items(*x, all.all(), arr::bounds_from(bounds), s.get());
  });
}

arr_status arr_set_items(arr_array a, int32_t nindices, const arr_index* indices, const arr_value* value,
                         int32_t bounds, arr_stream stream_handle) {
  return guard("arr_set_items", [&] {
    auto x = array(a, "a");
    const Indices all(nindices, indices);
    const Written written(value, "value", x->dtype);
    auto s = stream(stream_handle);
    arr::set_items(*x, all.all(), arr::bounds_from(bounds), written.input(), s.get());
  });
}

arr_status arr_update_items(int32_t op, arr_array a, int32_t nindices, const arr_index* indices,
                            const arr_value* value, int32_t bounds, arr_stream stream_handle) {
  return guard("arr_update_items", [&] {
    const arr::OpInfo& info = single(op);
    auto x = array(a, "a");
    const Indices all(nindices, indices);
    Operands operand;
    if (value != nullptr) operand.add(value, "value");
    auto s = stream(stream_handle);
    const arr::Input* with = value == nullptr ? nullptr : operand.inputs().data();
    arr::update_items(*x, info, all.all(), arr::bounds_from(bounds), with, s.get());
  });
}

arr_status arr_take(arr_array a, arr_array indices, int32_t axis, int32_t bounds, arr_stream stream_handle,
                    arr_array* out) {
  return binary_call("arr_take", a, "a", indices, "indices", stream_handle, out,
                     [&](const arr::Array& x, const arr::Array& i, arr::Stream* s) {
                       return arr::take(x, i, axis, arr::bounds_from(bounds), s);
                     });
}

arr_status arr_take_along_axis(arr_array a, arr_array indices, int32_t axis, int32_t bounds,
                               arr_stream stream_handle, arr_array* out) {
  return binary_call("arr_take_along_axis", a, "a", indices, "indices", stream_handle, out,
                     [&](const arr::Array& x, const arr::Array& i, arr::Stream* s) {
                       return arr::take_along_axis(x, i, axis, arr::bounds_from(bounds), s);
                     });
}

arr_status arr_put(arr_array a, arr_array indices, const arr_value* value, int32_t bounds,
                   arr_stream stream_handle) {
  return guard("arr_put", [&] {
    auto x = array(a, "a"), i = array(indices, "indices");
    const Written written(value, "value", x->dtype);
    auto s = stream(stream_handle);
    arr::put_flat(*x, *i, written.input(), arr::bounds_from(bounds), s.get());
  });
}

arr_status arr_put_along_axis(arr_array a, arr_array indices, const arr_value* value, int32_t axis,
                              int32_t bounds, arr_stream stream_handle) {
  return guard("arr_put_along_axis", [&] {
    auto x = array(a, "a"), i = array(indices, "indices");
    const Written written(value, "value", x->dtype);
    auto s = stream(stream_handle);
    arr::put_along_axis(*x, *i, written.input(), axis, arr::bounds_from(bounds), s.get());
  });
}

arr_status arr_compress(arr_array condition, arr_array a, int32_t axis, arr_stream stream_handle,
                        arr_array* out) {
  return binary_call(
      "arr_compress", condition, "condition", a, "a", stream_handle, out,
      [&](const arr::Array& c, const arr::Array& x, arr::Stream* s) { return arr::compress(c, x, axis, s); });
}

arr_status arr_extract(arr_array condition, arr_array a, arr_stream stream_handle, arr_array* out) {
  return binary_call(
      "arr_extract", condition, "condition", a, "a", stream_handle, out,
      [&](const arr::Array& c, const arr::Array& x, arr::Stream* s) { return arr::extract(c, x, s); });
}

arr_status arr_nonzero(arr_array a, arr_stream stream_handle, int32_t nout, arr_array* out) {
  return guard("arr_nonzero", [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    if (x->layout.ndim == 0) arr::fail(ARR_E_SHAPE, "argument a: no dimensions, expected one or more");
    if (nout != x->layout.ndim)
      arr::fail(ARR_E_ARGUMENT, "argument nout: ", nout, ", expected ", x->layout.ndim);
    check_pointer(out, "out");
    publish_all(arr::nonzero(*x, s.get()), out);
  });
}

arr_status arr_flatnonzero(arr_array a, arr_stream stream_handle, arr_array* out) {
  return unary_call("arr_flatnonzero", a, "a", stream_handle, out,
                    [&](const arr::Array& x, arr::Stream* s) { return arr::flatnonzero(x, s); });
}

arr_status arr_argwhere(arr_array a, arr_stream stream_handle, arr_array* out) {
  return unary_call("arr_argwhere", a, "a", stream_handle, out,
                    [&](const arr::Array& x, arr::Stream* s) { return arr::argwhere(x, s); });
}

arr_status arr_flatnonzero_sized(arr_array dst, arr_array count, arr_array a, int64_t fill,
                                 arr_stream stream_handle) {
  return sized("arr_flatnonzero_sized", dst, count, a, stream_handle,
               [&](const arr::Array& to, const arr::Array& n, const arr::Array& x, arr::Stream* s) {
                 arr::flatnonzero_sized(to, n, x, fill, s);
               });
}

arr_status arr_nonzero_sized(int32_t ndst, const arr_array* dst, arr_array count, arr_array a, int64_t fill,
                             arr_stream stream_handle) {
  return guard("arr_nonzero_sized", [&] {
    if (ndst < 0) arr::fail(ARR_E_ARGUMENT, "argument ndst: ", ndst, " is negative");
    const Arrays to(ndst, dst, "dst");
    auto n = array(count, "count"), x = array(a, "a");
    auto s = stream(stream_handle);
    arr::nonzero_sized(to.all(), *n, *x, fill, s.get());
  });
}

arr_status arr_argwhere_sized(arr_array dst, arr_array count, arr_array a, int64_t fill,
                              arr_stream stream_handle) {
  return sized("arr_argwhere_sized", dst, count, a, stream_handle,
               [&](const arr::Array& to, const arr::Array& n, const arr::Array& x, arr::Stream* s) {
                 arr::argwhere_sized(to, n, x, fill, s);
               });
}

arr_status arr_extract_sized(arr_array dst, arr_array count, arr_array condition, arr_array a,
                             const arr_value* fill, arr_stream stream_handle) {
  return sized("arr_extract_sized", dst, count, a, stream_handle,
               [&](const arr::Array& to, const arr::Array& n, const arr::Array& x, arr::Stream* s) {
                 auto c = array(condition, "condition");
                 arr::extract_sized(to, n, *c, x, scalar_as(fill, "fill", to.dtype), s);
               });
}

arr_status arr_compress_sized(arr_array dst, arr_array count, arr_array condition, arr_array a, int32_t axis,
                              const arr_value* fill, arr_stream stream_handle) {
  return sized("arr_compress_sized", dst, count, a, stream_handle,
               [&](const arr::Array& to, const arr::Array& n, const arr::Array& x, arr::Stream* s) {
                 auto c = array(condition, "condition");
                 arr::compress_sized(to, n, *c, x, axis, scalar_as(fill, "fill", to.dtype), s);
               });
}

arr_status arr_place(arr_array a, arr_array mask, const arr_value* values, arr_stream stream_handle) {
  return guard("arr_place", [&] {
    auto x = array(a, "a"), m = array(mask, "mask");
    const Written written(values, "values", x->dtype);
    auto s = stream(stream_handle);
    arr::place_values(*x, *m, written.input(), s.get());
  });
}

arr_status arr_putmask(arr_array a, arr_array mask, const arr_value* values, arr_stream stream_handle) {
  return guard("arr_putmask", [&] {
    auto x = array(a, "a"), m = array(mask, "mask");
    const Written written(values, "values", x->dtype);
    auto s = stream(stream_handle);
    arr::put_mask(*x, *m, written.input(), s.get());
  });
}

arr_status arr_choose(arr_array index, int32_t n, const arr_array* choices, int32_t bounds,
                      arr_stream stream_handle, arr_array* out) {
  return make_array("arr_choose", out, [&] {
    auto i = array(index, "index");
    const Arrays all(n, choices, "choices");
    auto s = stream(stream_handle);
    return arr::choose(*i, all.all(), arr::bounds_from(bounds), s.get());
  });
}

arr_status arr_select(int32_t n, const arr_array* conditions, const arr_array* choices,
                      const arr_value* otherwise, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_select", out, [&] {
    if (n < 1) arr::fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected one or more");
    const Arrays when(n, conditions, "conditions"), what(n, choices, "choices");
    arr::Input rest;
    rest.scalar = scalar_argument(otherwise, "otherwise");
    rest.weak = is_weak(*otherwise);
    auto s = stream(stream_handle);
    return arr::first_true(when.all(), what.all(), rest, s.get());
  });
}
