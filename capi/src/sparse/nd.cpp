// SPDX-License-Identifier: MIT
// sparse_nd.h: sparse arrays of any number of dimensions.
#include "arr/sparse_nd.h"

#include "capi/src/arguments.h"
#include "capi/src/indexing/arguments.h"
#include "capi/src/reduce/arguments.h"
#include "capi/src/sparse/handles.h"

using namespace arr::capi;

arr_status arr_sparse_coo_nd(int32_t ndim, const int64_t* shape, arr_array data, const arr_array* coords,
                             arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_coo_nd", out, [&] {
    const arr::Shape extents = shape_argument(ndim, shape);
    auto d = array(data, "data");
    const Arrays along(ndim, coords, "coords");
    auto s = stream(stream_handle);
    return arr::sparse_coo_nd(extents, *d, along.all(), s.get());
  });
}

arr_status arr_sparse_shape(arr_sparse a, int32_t capacity, int64_t* shape, int32_t* ndim) {
  return query("arr_sparse_shape", [&] {
    const arr::Layout l = arr::shape_of(*sparse_nd(a, "a"));
    put_dims(l, l.shape, 1, capacity, shape, ndim);
  });
}

arr_status arr_sparse_coords(arr_sparse a, int32_t axis, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_coords", out, [&] {
    auto x = sparse_nd(a, "a");
    auto s = stream(stream_handle);
    return arr::coordinates_of(*x, axis, s.get());
  });
}

arr_status arr_sparse_reshape_nd(arr_sparse a, int32_t ndim, const int64_t* shape, arr_stream stream_handle,
                                 arr_sparse* out) {
  return make_matrix("arr_sparse_reshape_nd", out, [&] {
    auto x = sparse_nd(a, "a");
    auto s = stream(stream_handle);
    return arr::reshape_nd(*x, shape_argument(ndim, shape), s.get());
  });
}

arr_status arr_sparse_permute_dims(arr_sparse a, int32_t naxes, const int32_t* axes, arr_stream stream_handle,
                                   arr_sparse* out) {
  return make_matrix("arr_sparse_permute_dims", out, [&] {
    auto x = sparse_nd(a, "a");
    auto s = stream(stream_handle);
    return arr::permute_dims(*x, axes_argument(naxes, axes), s.get());
  });
}

arr_status arr_sparse_reduce_axes(int32_t reduction, arr_sparse a, int32_t naxes, const int32_t* axes,
                                  bool keepdims, arr_dtype dtype, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_reduce_axes", out, [&] {
    const arr::ReductionInfo& r = reduction_argument(reduction);
    auto x = sparse_nd(a, "a");
    auto s = stream(stream_handle);
    const uint32_t mask = arr::axis_mask(arr::shape_of(*x).ndim, naxes, axes);
    return arr::sparse_reduce_axes(r, *x, mask, keepdims, optional_dtype(dtype), s.get());
  });
}

arr_status arr_sparse_tensordot(arr_sparse a, arr_sparse b, int32_t naxes, const int32_t* a_axes,
                                const int32_t* b_axes, arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_tensordot", out, [&] {
    auto x = sparse_nd(a, "a"), y = sparse_nd(b, "b");
    auto s = stream(stream_handle);
    if (naxes > 0) {
      check_pointer(a_axes, "a_axes");
      check_pointer(b_axes, "b_axes");
    }
    return arr::sparse_tensordot(*x, *y, {axes_argument(naxes, a_axes), axes_argument(naxes, b_axes)},
                                 s.get());
  });
}

arr_status arr_sparse_get_items_nd(arr_sparse a, int32_t nindices, const arr_index* indices,
                                   arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_get_items_nd", out, [&] {
    auto x = sparse_nd(a, "a");
    auto s = stream(stream_handle);
    const Indices all(nindices, indices);
    return arr::get_items_nd(*x, all.all(), s.get());
  });
}

arr_status arr_sparse_with_items_nd(arr_sparse a, int32_t nindices, const arr_index* indices,
                                    arr_sparse block, arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_with_items_nd", out, [&] {
    auto x = sparse_nd(a, "a"), y = sparse_nd(block, "block");
    auto s = stream(stream_handle);
    const Indices all(nindices, indices);
    return arr::with_items_nd(*x, all.all(), *y, s.get());
  });
}

arr_status arr_sparse_concatenate_nd(int32_t n, const arr_sparse* parts, int32_t axis,
                                     arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_concatenate_nd", out, [&] {
    const Matrices all(n, parts, "parts", Matrices::Of::arrays);
    auto s = stream(stream_handle);
    return arr::concatenate_nd(all.all(), axis, s.get());
  });
}

arr_status arr_sparse_stack(int32_t n, const arr_sparse* parts, int32_t axis, arr_stream stream_handle,
                            arr_sparse* out) {
  return make_matrix("arr_sparse_stack", out, [&] {
    const Matrices all(n, parts, "parts", Matrices::Of::arrays);
    auto s = stream(stream_handle);
    return arr::stack_nd(all.all(), axis, s.get());
  });
}
