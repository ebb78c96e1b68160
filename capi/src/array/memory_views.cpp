// SPDX-License-Identifier: MIT
// memory_views.h: other readings of an array's memory.
#include "arr/memory_views.h"

#include "array/memory_views.h"

#include "capi/src/arguments.h"

using namespace arr::capi;
using arr::Array;
using arr::Overlap;
using arr::Stream;

namespace {

template <class Body>
arr_status view_of(const char* function, arr_array a, arr_array* out, Body&& body) noexcept {
  return make_array(function, out, [&] { return body(*array(a, "a")); });
}

// Returns whether two arrays overlap, by body().
template <class Body>
arr_status overlap_of(const char* function, arr_array a, arr_array b, bool* out, Body&& body) noexcept {
  return query(function, [&] {
    check_pointer(out, "out");
    auto x = array(a, "a");
    auto y = array(b, "b");
    *out = body(*x, *y);
  });
}

}  // namespace

arr_status arr_view(arr_array a, arr_dtype dtype, arr_array* out) {
  return view_of("arr_view", a, out, [&](const Array& x) { return arr::view_as(x, arr::dtype_from(dtype)); });
}

arr_status arr_view_field(arr_array a, int64_t position, arr_dtype dtype, arr_array* out) {
  return view_of("arr_view_field", a, out,
                 [&](const Array& x) { return arr::view_field(x, position, arr::dtype_from(dtype)); });
}

arr_status arr_byteswap(arr_array a, arr_stream stream, arr_array* out) {
  return unary_call("arr_byteswap", a, "a", stream, out,
                    [&](const Array& x, Stream* s) { return arr::byteswap(x, s); });
}

arr_status arr_byteswap_into(arr_array dst, arr_array a, arr_stream stream_handle) {
  return guard("arr_byteswap_into", [&] {
    auto to = array(dst, "dst");
    auto from = array(a, "a");
    auto s = stream(stream_handle);
    arr::byteswap_into(*to, *from, s.get());
  });
}

arr_status arr_as_strided(arr_array a, int32_t ndim, const int64_t* shape, const int64_t* strides,
                          arr_array* out) {
  return view_of("arr_as_strided", a, out, [&](const Array& x) {
    const arr::Shape extents = shape_argument(ndim, shape);
    return arr::as_strided(x, extents, {strides, strides == nullptr ? 0 : extents.size()},
                           strides != nullptr);
  });
}

arr_status arr_sliding_window_view(arr_array a, int32_t n, const int64_t* window, const int32_t* axes,
                                   arr_array* out) {
  return view_of("arr_sliding_window_view", a, out, [&](const Array& x) {
    if (n < 0) arr::fail(ARR_E_ARGUMENT, "argument n: ", n, " is negative");
    if (n > 0) check_pointer(window, "window");
    const auto count = static_cast<size_t>(n);
    return arr::sliding_windows(x, {window, count}, {axes, axes == nullptr ? 0 : count}, axes == nullptr);
  });
}

arr_status arr_reduced_view(arr_array a, arr_array* out) {
  return view_of("arr_reduced_view", a, out,
                 [&](const Array& x) { return x.view(arr::merged(x.layout, x.item())); });
}

arr_status arr_base(arr_array a, arr_array* out) {
  return view_of("arr_base", a, out, [&](const Array& x) { return arr::whole_memory(x); });
}

arr_status arr_may_share_memory(arr_array a, arr_array b, bool* out) {
  return overlap_of("arr_may_share_memory", a, b, out,
                    [&](const Array& x, const Array& y) { return arr::may_share_memory(x, y); });
}

arr_status arr_shares_memory(arr_array a, arr_array b, int64_t max_work, bool* out) {
  return overlap_of("arr_shares_memory", a, b, out, [&](const Array& x, const Array& y) {
    if (max_work < -1)
      arr::fail(ARR_E_ARGUMENT, "argument max_work: ", max_work, ", expected -1 (no limit) or more");
    const Overlap found = arr::find_overlap(x, y, max_work);
    if (found == Overlap::unknown)
      arr::fail(ARR_E_UNSUPPORTED, "argument max_work: ", max_work,
                " candidates do not settle whether the arrays share memory");
    return found == Overlap::some;
  });
}
