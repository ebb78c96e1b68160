// SPDX-License-Identifier: MIT
// manipulation.h: arrays joined, cut and rearranged.
#include "arr/manipulation.h"

#include "ops/indexing/rearrange.h"

#include "capi/src/arguments.h"

using namespace arr::capi;
using arr::Array;
using arr::ArrayList;
using arr::Ref;
using arr::Stream;

namespace {

// A function of several arrays.
template <class Body>
arr_status of_many(const char* function, int32_t n, const arr_array* arrays, arr_stream stream_handle,
                   arr_array* out, Body&& body) noexcept {
  return make_array(function, out, [&] {
    const Arrays all(n, arrays, "arrays");
    auto s = stream(stream_handle);
    return body(all.all(), s.get());
  });
}

arr_status stack_as(const char* function, arr::StackKind kind, int32_t n, const arr_array* arrays,
                    arr_dtype dtype, arr_stream stream, arr_array* out) noexcept {
  return of_many(function, n, arrays, stream, out, [&](ArrayList all, Stream* s) {
    return arr::stack_as(kind, all, optional_dtype(dtype), s);
  });
}

// A view of one array.
template <class Body>
arr_status view_of(const char* function, arr_array a, arr_array* out, Body&& body) noexcept {
  return make_array(function, out, [&] { return body(*array(a, "a")); });
}

// Several views of one array.
template <class Body>
arr_status views_of(const char* function, arr_array a, arr_array* out, Body&& body) noexcept {
  return guard(function, [&] {
    check_pointer(out, "out");
    publish_all(body(*array(a, "a")), out);
  });
}

template <class T>
std::span<const T> list_argument(int32_t n, const T* list, const char* count, const char* argument) {
  if (n < 0) arr::fail(ARR_E_ARGUMENT, "argument ", count, ": ", n, " is negative");
  if (n > 0) check_pointer(list, argument);
  return {list, static_cast<size_t>(n)};
}

}  // namespace

arr_status arr_concatenate(int32_t n, const arr_array* arrays, int32_t axis, arr_dtype dtype,
                           arr_stream stream, arr_array* out) {
  return of_many("arr_concatenate", n, arrays, stream, out, [&](ArrayList all, Stream* s) {
    return arr::concatenate(all, axis, optional_dtype(dtype), s);
  });
}

arr_status arr_concatenate_into(arr_array dst, int32_t n, const arr_array* arrays, int32_t axis,
                                arr_stream stream_handle) {
  return guard("arr_concatenate_into", [&] {
    auto to = array(dst, "dst");
    const Arrays all(n, arrays, "arrays");
    auto s = stream(stream_handle);
    arr::concatenate_into(*to, all.all(), axis, s.get());
  });
}

arr_status arr_stack(int32_t n, const arr_array* arrays, int32_t axis, arr_dtype dtype, arr_stream stream,
                     arr_array* out) {
  return of_many("arr_stack", n, arrays, stream, out,
                 [&](ArrayList all, Stream* s) { return arr::stack(all, axis, optional_dtype(dtype), s); });
}

arr_status arr_vstack(int32_t n, const arr_array* arrays, arr_dtype dtype, arr_stream stream,
                      arr_array* out) {
  return stack_as("arr_vstack", arr::StackKind::rows, n, arrays, dtype, stream, out);
}

arr_status arr_hstack(int32_t n, const arr_array* arrays, arr_dtype dtype, arr_stream stream,
                      arr_array* out) {
  return stack_as("arr_hstack", arr::StackKind::columns, n, arrays, dtype, stream, out);
}

arr_status arr_dstack(int32_t n, const arr_array* arrays, arr_dtype dtype, arr_stream stream,
                      arr_array* out) {
  return stack_as("arr_dstack", arr::StackKind::depth, n, arrays, dtype, stream, out);
}

arr_status arr_column_stack(int32_t n, const arr_array* arrays, arr_dtype dtype, arr_stream stream,
                            arr_array* out) {
  return stack_as("arr_column_stack", arr::StackKind::vectors, n, arrays, dtype, stream, out);
}

arr_status arr_block(int32_t n, const arr_array* arrays, int32_t depth, int32_t nlengths,
                     const int32_t* lengths, arr_stream stream, arr_array* out) {
  return of_many("arr_block", n, arrays, stream, out, [&](ArrayList all, Stream* s) {
    return arr::block(all, list_argument(nlengths, lengths, "nlengths", "lengths"), depth, s);
  });
}

arr_status arr_append(arr_array a, arr_array values, int32_t axis, arr_stream stream, arr_array* out) {
  return binary_call("arr_append", a, "a", values, "values", stream, out,
                     [&](const Array& x, const Array& y, Stream* s) { return arr::append(x, y, axis, s); });
}

arr_status arr_split(arr_array a, int32_t n, int32_t axis, arr_array* out) {
  return views_of("arr_split", a, out, [&](const Array& x) { return arr::split(x, n, axis, true); });
}

arr_status arr_array_split(arr_array a, int32_t n, int32_t axis, arr_array* out) {
  return views_of("arr_array_split", a, out, [&](const Array& x) { return arr::split(x, n, axis, false); });
}

arr_status arr_split_at(arr_array a, int32_t n, const int64_t* positions, int32_t axis, int32_t nout,
                        arr_array* out) {
  return views_of("arr_split_at", a, out, [&](const Array& x) {
    const auto list = list_argument(n, positions, "n", "positions");
    if (int64_t{nout} != int64_t{n} + 1)
      arr::fail(ARR_E_ARGUMENT, "argument nout: ", nout, ", expected ", int64_t{n} + 1, ", one more than n");
    return arr::split_at(x, list, axis);
  });
}

arr_status arr_unstack(arr_array a, int32_t axis, int32_t n, arr_array* out) {
  return guard("arr_unstack", [&] {
    auto x = array(a, "a");
    std::vector<Ref<Array>> parts = arr::unstack(*x, axis, n);
    if (!parts.empty()) check_pointer(out, "out");
    publish_all(std::move(parts), out);
  });
}

arr_status arr_moveaxis(arr_array a, int32_t n, const int32_t* source, const int32_t* destination,
                        arr_array* out) {
  return view_of("arr_moveaxis", a, out, [&](const Array& x) {
    return arr::moveaxis(x, list_argument(n, source, "n", "source"),
                         list_argument(n, destination, "n", "destination"));
  });
}

arr_status arr_swapaxes(arr_array a, int32_t axis1, int32_t axis2, arr_array* out) {
  return view_of("arr_swapaxes", a, out, [&](const Array& x) { return arr::swapaxes(x, axis1, axis2); });
}

arr_status arr_rot90(arr_array a, int32_t k, int32_t axis1, int32_t axis2, arr_array* out) {
  return view_of("arr_rot90", a, out, [&](const Array& x) { return arr::rot90(x, k, axis1, axis2); });
}

arr_status arr_atleast(arr_array a, int32_t nd, arr_array* out) {
  return view_of("arr_atleast", a, out, [&](const Array& x) { return arr::atleast_nd(x, nd); });
}

arr_status arr_broadcast_arrays(int32_t n, const arr_array* arrays, arr_array* out) {
  return guard("arr_broadcast_arrays", [&] {
    const Arrays all(n, arrays, "arrays");
    if (n > 0) check_pointer(out, "out");
    publish_all(arr::broadcast_arrays(all.all()), out);
  });
}

arr_status arr_meshgrid(int32_t n, const arr_array* arrays, int32_t indexing, int32_t flags,
                        arr_stream stream_handle, arr_array* out) {
  return guard("arr_meshgrid", [&] {
    const Arrays all(n, arrays, "arrays");
    if (n > 0) check_pointer(out, "out");
    if (indexing != ARR_INDEXING_XY && indexing != ARR_INDEXING_IJ)
      arr::fail(ARR_E_ARGUMENT, "argument indexing: ", indexing, ", expected one of ARR_INDEXING_...");
    check_flags(flags, ARR_MESHGRID_SPARSE | ARR_MESHGRID_COPY);
    const bool sparse = (flags & ARR_MESHGRID_SPARSE) != 0, copy = (flags & ARR_MESHGRID_COPY) != 0;
    auto s = stream(stream_handle);
    publish_all(arr::meshgrid(all.all(), static_cast<arr::GridIndexing>(indexing), sparse, copy, s.get()),
                out);
  });
}

arr_status arr_tile(arr_array a, int32_t nreps, const int64_t* reps, arr_stream stream, arr_array* out) {
  return unary_call("arr_tile", a, "a", stream, out, [&](const Array& x, Stream* s) {
    return arr::tile(x, list_argument(nreps, reps, "nreps", "reps"), s);
  });
}

arr_status arr_repeat(arr_array a, int64_t count, int32_t axis, arr_stream stream, arr_array* out) {
  return unary_call("arr_repeat", a, "a", stream, out,
                    [&](const Array& x, Stream* s) { return arr::repeat(x, count, axis, s); });
}

arr_status arr_repeat_counts(arr_array a, arr_array counts, int32_t axis, int64_t total, arr_stream stream,
                             arr_array* out) {
  return binary_call(
      "arr_repeat_counts", a, "a", counts, "counts", stream, out,
      [&](const Array& x, const Array& c, Stream* s) { return arr::repeat_counts(x, c, axis, total, s); });
}

arr_status arr_roll(arr_array a, int32_t n, const int64_t* shifts, const int32_t* axes, arr_stream stream,
                    arr_array* out) {
  return unary_call("arr_roll", a, "a", stream, out, [&](const Array& x, Stream* s) {
    return arr::roll(x, list_argument(n, shifts, "n", "shifts"), axes, s);
  });
}

arr_status arr_resize(arr_array a, int32_t ndim, const int64_t* shape, arr_stream stream, arr_array* out) {
  return unary_call("arr_resize", a, "a", stream, out, [&](const Array& x, Stream* s) {
    return arr::resize(x, shape_argument(ndim, shape), s);
  });
}

arr_status arr_trim_zeros(arr_array a, int32_t ends, int32_t naxes, const int32_t* axes, arr_stream stream,
                          arr_array* out) {
  return unary_call("arr_trim_zeros", a, "a", stream, out, [&](const Array& x, Stream* s) {
    if (ends < ARR_TRIM_BOTH || ends > ARR_TRIM_BACK)
      arr::fail(ARR_E_ARGUMENT, "argument ends: ", ends, ", expected one of ARR_TRIM_...");
    const uint32_t mask = arr::axis_mask(x.layout.ndim, naxes, axes);
    return arr::trim_zeros(x, ends != ARR_TRIM_BACK, ends != ARR_TRIM_FRONT, mask, s);
  });
}

arr_status arr_insert(arr_array a, int64_t index, arr_array values, int32_t axis, arr_stream stream,
                      arr_array* out) {
  return binary_call(
      "arr_insert", a, "a", values, "values", stream, out,
      [&](const Array& x, const Array& v, Stream* s) { return arr::insert(x, index, v, axis, s); });
}

arr_status arr_insert_at(arr_array a, int32_t n, const int64_t* indices, arr_array values, int32_t axis,
                         arr_stream stream, arr_array* out) {
  return binary_call("arr_insert_at", a, "a", values, "values", stream, out,
                     [&](const Array& x, const Array& v, Stream* s) {
                       return arr::insert_at(x, list_argument(n, indices, "n", "indices"), v, axis, s);
                     });
}

arr_status arr_insert_slice(arr_array a, int64_t start, int64_t stop, int64_t step, arr_array values,
                            int32_t axis, arr_stream stream, arr_array* out) {
  return binary_call("arr_insert_slice", a, "a", values, "values", stream, out,
                     [&](const Array& x, const Array& v, Stream* s) {
                       return arr::insert_slice(x, {start, stop, step}, v, axis, s);
                     });
}

arr_status arr_delete(arr_array a, int32_t n, const int64_t* indices, int32_t axis, arr_stream stream,
                      arr_array* out) {
  return unary_call("arr_delete", a, "a", stream, out, [&](const Array& x, Stream* s) {
    return arr::remove_at(x, list_argument(n, indices, "n", "indices"), axis, s);
  });
}

arr_status arr_delete_slice(arr_array a, int64_t start, int64_t stop, int64_t step, int32_t axis,
                            arr_stream stream, arr_array* out) {
  return unary_call("arr_delete_slice", a, "a", stream, out, [&](const Array& x, Stream* s) {
    return arr::remove_slice(x, {start, stop, step}, axis, s);
  });
}

arr_status arr_copyto(arr_array dst, arr_array src, int32_t casting, arr_array where,
                      arr_stream stream_handle) {
  return guard("arr_copyto", [&] {
    auto to = array(dst, "dst");
    auto from = array(src, "src");
    auto mask = optional_array(where, "where");
    auto s = stream(stream_handle);
    arr::copyto(*to, *from, casting_argument(casting), mask.get(), s.get());
  });
}
