// SPDX-License-Identifier: MIT
// view.h: views, copies, casts, writes.
#include <utility>

#include "capi/src/arguments.h"
#include "ops/linalg/products.h"
#include "ops/reduce/require.h"

using namespace arr::capi;
using arr::Array;
using arr::Layout;

namespace {

// A view whose layout and byte offset body() computes from the array's layout.
template <class Body>
arr_status make_view(const char* function, arr_array a, arr_array* out, Body&& body) noexcept {
  return make_array(function, out, [&] {
    auto x = array(a, "a");
    int64_t offset = 0;
    Layout l = body(*x, &offset);
    return x->view(l, offset);
  });
}

}  // namespace

arr_status arr_slice(arr_array a, int32_t n, const int64_t* start, const int64_t* stop, const int64_t* step,
                     arr_array* out) {
  return make_view("arr_slice", a, out, [&](const Array& x, int64_t* offset) {
    if (n < 0) arr::fail(ARR_E_ARGUMENT, "argument n: ", n, " is negative");
    if (n > 0) check_pointer(start, "start");
    if (n > 0) check_pointer(stop, "stop");
    auto count = static_cast<size_t>(n);
    return arr::slice(x.layout, {start, count}, {stop, count}, {step, step == nullptr ? 0 : count}, offset);
  });
}

arr_status arr_index_axis(arr_array a, int32_t axis, int64_t index, arr_array* out) {
  return make_view("arr_index_axis", a, out, [&](const Array& x, int64_t* offset) {
    return arr::index_axis(x.layout, axis, index, offset);
  });
}

arr_status arr_transpose(arr_array a, int32_t naxes, const int32_t* axes, arr_array* out) {
  return make_view("arr_transpose", a, out, [&](const Array& x, int64_t*) {
    return arr::transpose(x.layout, axes_argument(naxes, axes));
  });
}

arr_status arr_matrix_transpose(arr_array a, arr_array* out) {
  return make_view("arr_matrix_transpose", a, out, [&](const Array& x, int64_t*) {
    Layout l = x.layout;
    if (l.ndim < 2)
      arr::fail(ARR_E_SHAPE, "argument a: shape ", l.text(), ", expected two dimensions or more");
    std::swap(l.shape[l.ndim - 1], l.shape[l.ndim - 2]);
    std::swap(l.strides[l.ndim - 1], l.strides[l.ndim - 2]);
    return l;
  });
}

arr_status arr_diagonal(arr_array a, int64_t offset, int32_t axis1, int32_t axis2, arr_array* out) {
  return make_array("arr_diagonal", out, [&] {
    auto x = array(a, "a");
    return arr::diagonal(*x, offset, axis1, axis2);
  });
}

arr_status arr_broadcast_to(arr_array a, int32_t ndim, const int64_t* shape, arr_array* out) {
  return make_array("arr_broadcast_to", out, [&] {
    auto x = array(a, "a");
    Layout l = arr::broadcast_to(x->layout, shape_argument(ndim, shape));
    return arr::make<Array>(x->buffer, x->data, x->dtype, l, true);
  });
}

arr_status arr_expand_dims(arr_array a, int32_t naxes, const int32_t* axes, arr_array* out) {
  return make_view("arr_expand_dims", a, out, [&](const Array& x, int64_t*) {
    if (naxes > 0) check_pointer(axes, "axes");
    return arr::expand_dims(x.layout, axes_argument(naxes, axes), x.item());
  });
}

arr_status arr_squeeze(arr_array a, int32_t naxes, const int32_t* axes, arr_array* out) {
  return make_view("arr_squeeze", a, out, [&](const Array& x, int64_t*) {
    return arr::squeeze(x.layout, axes_argument(naxes, axes), axes == nullptr);
  });
}

arr_status arr_flip(arr_array a, int32_t naxes, const int32_t* axes, arr_array* out) {
  return make_view("arr_flip", a, out, [&](const Array& x, int64_t* offset) {
    return arr::flip(x.layout, axes_argument(naxes, axes), axes == nullptr, offset);
  });
}

arr_status arr_reshape(arr_array a, int32_t ndim, const int64_t* shape, int32_t order,
                       arr_stream stream_handle, arr_array* out) {
  return make_array("arr_reshape", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::reshape(*x, shape_argument(ndim, shape), arr::order_from(order), s.get());
  });
}

arr_status arr_ravel(arr_array a, int32_t order, arr_stream stream, arr_array* out) {
  return unary_call("arr_ravel", a, "a", stream, out,
                    [&](const Array& x, arr::Stream* s) { return arr::ravel(x, arr::order_from(order), s); });
}

arr_status arr_broadcast_shapes(int32_t n, const int32_t* ndims, int32_t nextents, const int64_t* extents,
                                int32_t capacity, int64_t* shape, int32_t* ndim) {
  return query("arr_broadcast_shapes", [&] {
    if (n < 0) arr::fail(ARR_E_ARGUMENT, "argument n: ", n, " is negative");
    if (nextents < 0) arr::fail(ARR_E_ARGUMENT, "argument nextents: ", nextents, " is negative");
    if (n > 0) check_pointer(ndims, "ndims");
    if (nextents > 0) check_pointer(extents, "extents");
    Layout all;
    int32_t at = 0;
    for (int32_t i = 0; i < n; ++i) {
      if (ndims[i] < 0 || ndims[i] > nextents - at)
        arr::fail(ARR_E_ARGUMENT, "argument ndims: ", ndims[i], ", but ", nextents - at,
                  " extents are left for this shape");
      const Layout one = Layout::contiguous({extents + at, static_cast<size_t>(ndims[i])}, 1, arr::Order::C);
      Layout both;
      arr::broadcast_shapes(all, one, "extents", &both);
      all = both;
      at += ndims[i];
    }
    if (at != nextents)
      arr::fail(ARR_E_ARGUMENT, "argument nextents: ", nextents, ", but ndims add up to ", at);
    put_dims(all, all.shape, 1, capacity, shape, ndim);
  });
}

arr_status arr_flatten(arr_array a, int32_t order, arr_stream stream, arr_array* out) {
  return unary_call("arr_flatten", a, "a", stream, out, [&](const Array& x, arr::Stream* s) {
    return arr::flatten(x, arr::order_from(order), s);
  });
}

arr_status arr_require(arr_array a, arr_dtype dtype, int32_t requirements, arr_stream stream,
                       arr_array* out) {
  return unary_call("arr_require", a, "a", stream, out, [&](const Array& x, arr::Stream* s) {
    constexpr int32_t known = ARR_REQUIRE_C | ARR_REQUIRE_F | ARR_REQUIRE_WRITABLE | ARR_REQUIRE_OWN;
    constexpr int32_t both = ARR_REQUIRE_C | ARR_REQUIRE_F;
    if ((requirements & ~known) != 0 || (requirements & both) == both)
      arr::fail(ARR_E_ARGUMENT, "argument requirements: ", requirements,
                ", expected ARR_REQUIRE_... values, of _C and _F one at most");
    return arr::require(x, optional_dtype(dtype), requirements, s);
  });
}

arr_status arr_check_finite(arr_array a, arr_stream stream_handle) {
  return guard("arr_check_finite", [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::check_finite(*x, s.get());
  });
}

arr_status arr_copy(arr_array a, int32_t order, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_copy", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::copy(*x, arr::order_from(order), s.get());
  });
}

arr_status arr_contiguous(arr_array a, int32_t order, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_contiguous", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::contiguous(*x, arr::order_from(order), s.get());
  });
}

arr_status arr_astype(arr_array a, arr_dtype dtype, int32_t casting, int32_t order, arr_stream stream_handle,
                      arr_array* out) {
  return make_array("arr_astype", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::astype(*x, arr::dtype_from(dtype), casting_argument(casting), arr::order_from(order),
                       s.get());
  });
}

arr_status arr_fill(arr_array a, const arr_value* value, arr_stream stream_handle) {
  return guard("arr_fill", [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::fill(*x, scalar_as(value, "value", x->dtype), s.get());
  });
}

arr_status arr_assign(arr_array dst, arr_array src, arr_stream stream_handle) {
  return guard("arr_assign", [&] {
    auto to = array(dst, "dst");
    auto from = array(src, "src");
    auto s = stream(stream_handle);
    arr::assign(*to, *arr::as_written(*from, to->layout), s.get());
  });
}
