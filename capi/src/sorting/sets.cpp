// SPDX-License-Identifier: MIT
// sets.h: distinct elements, membership, set operations.
#include "arr/sets.h"

#include "capi/src/arguments.h"
#include "ops/sorting/sets.h"
#include "ops/sorting/unique.h"

using namespace arr::capi;

arr_status arr_unique(arr_array a, int32_t axis, int32_t flags, arr_stream stream_handle,
                      arr_array* out_values, arr_array* out_indices, arr_array* out_inverse,
                      arr_array* out_counts) {
  return guard("arr_unique", [&] {
    check_pointer(out_values, "out_values");
    check_flags(flags, ARR_UNIQUE_SORTED | ARR_UNIQUE_EQUAL_NAN);
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::UniqueOptions o;
    o.indices = out_indices != nullptr;
    o.inverse = out_inverse != nullptr;
    o.counts = out_counts != nullptr;
    o.by_occurrence = (flags & ARR_UNIQUE_SORTED) == 0;
    o.equal_nan = (flags & ARR_UNIQUE_EQUAL_NAN) != 0;
    const arr::Unique u = arr::unique(*x, axis, o, s.get());
    publish_wanted(
        {{u.values, out_values}, {u.indices, out_indices}, {u.inverse, out_inverse}, {u.counts, out_counts}});
  });
}

arr_status arr_isin(arr_array a, arr_array test, bool invert, arr_stream stream, arr_array* out) {
  return binary_call(
      "arr_isin", a, "a", test, "test", stream, out,
      [&](const arr::Array& x, const arr::Array& y, arr::Stream* s) { return arr::isin(x, y, invert, s); });
}

arr_status arr_intersect1d(arr_array a, arr_array b, bool assume_unique, arr_stream stream_handle,
                           arr_array* out, arr_array* out_a_indices, arr_array* out_b_indices) {
  return guard("arr_intersect1d", [&] {
    check_pointer(out, "out");
    auto x = array(a, "a"), y = array(b, "b");
    auto s = stream(stream_handle);
    const bool indices = out_a_indices != nullptr || out_b_indices != nullptr;
    const arr::Intersection both = arr::intersect1d(*x, *y, assume_unique, indices, s.get());
    publish_wanted({{both.values, out}, {both.x_indices, out_a_indices}, {both.y_indices, out_b_indices}});
  });
}

arr_status arr_union1d(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return binary_call(
      "arr_union1d", a, "a", b, "b", stream, out,
      [](const arr::Array& x, const arr::Array& y, arr::Stream* s) { return arr::union1d(x, y, s); });
}

arr_status arr_setdiff1d(arr_array a, arr_array b, bool assume_unique, arr_stream stream, arr_array* out) {
  return binary_call("arr_setdiff1d", a, "a", b, "b", stream, out,
                     [&](const arr::Array& x, const arr::Array& y, arr::Stream* s) {
                       return arr::setdiff1d(x, y, assume_unique, s);
                     });
}

arr_status arr_setxor1d(arr_array a, arr_array b, bool assume_unique, arr_stream stream, arr_array* out) {
  return binary_call("arr_setxor1d", a, "a", b, "b", stream, out,
                     [&](const arr::Array& x, const arr::Array& y, arr::Stream* s) {
                       return arr::setxor1d(x, y, assume_unique, s);
                     });
}
