// SPDX-License-Identifier: MIT
// indexing.h: arrays of indices.
#include "arr/indexing.h"

#include <vector>

#include "capi/src/arguments.h"
#include "capi/src/indexing/arguments.h"
#include "ops/indexing/mesh.h"
#include "runtime/devices.h"

using namespace arr::capi;

namespace {

void check_nout(int32_t nout, int32_t expected, const arr_array* out) {
  if (nout != expected) arr::fail(ARR_E_ARGUMENT, "argument nout: ", nout, ", expected ", expected);
  if (nout > 0) check_pointer(out, "out");
}

arr::Order flat_order(int32_t order) {
  if (order != ARR_ORDER_C && order != ARR_ORDER_F) {
    arr::fail(ARR_E_ARGUMENT, "argument order: ", order, ", expected ARR_ORDER_C or ARR_ORDER_F");
  }
  return arr::order_from(order);
}

arr_status triangle(const char* function, int64_t rows, int64_t columns, int64_t k, bool lower,
                    const arr_device* device, arr_stream stream_handle, arr_array* out_i, arr_array* out_j) {
  return guard(function, [&] {
    check_pointer(out_i, "out_i");
    check_pointer(out_j, "out_j");
    auto s = stream(stream_handle);
    arr_array both[2];
    publish_all(arr::triangle_indices(rows, columns, k, lower, arr::device_from(device), s.get()), both);
    *out_i = both[0];
    *out_j = both[1];
  });
}

// The extents of n axes.
arr::Shape extents_argument(int32_t n, const int64_t* shape) {
  if (n > ARR_MAX_NDIM) arr::fail(ARR_E_SHAPE, "argument n: ", n, ", expected 0 to ", ARR_MAX_NDIM);
  return shape_argument(n, shape);
}

}  // namespace

arr_status arr_ravel_multi_index(int32_t n, const arr_array* indices, const int64_t* shape,
                                 const int32_t* bounds, int32_t order, arr_stream stream_handle,
                                 arr_array* out) {
  return make_array("arr_ravel_multi_index", out, [&] {
    const Arrays all(n, indices, "indices");
    std::vector<arr::Bounds> modes;
    modes.reserve(static_cast<size_t>(n));
    for (int32_t i = 0; i < n; ++i) {
      modes.push_back(bounds == nullptr ? arr::Bounds::raise : arr::bounds_from(bounds[i]));
    }
    auto s = stream(stream_handle);
    return arr::ravel_multi_index(all.all(), extents_argument(n, shape), modes, flat_order(order), s.get());
  });
}

arr_status arr_unravel_index(arr_array indices, int32_t n, const int64_t* shape, int32_t order,
                             arr_stream stream_handle, int32_t nout, arr_array* out) {
  return guard("arr_unravel_index", [&] {
    auto x = array(indices, "indices");
    auto s = stream(stream_handle);
    const arr::Shape extents = extents_argument(n, shape);
    check_nout(nout, n, out);
    publish_all(arr::unravel_index(*x, extents, flat_order(order), s.get()), out);
  });
}

arr_status arr_ix(int32_t n, const arr_array* vectors, arr_stream stream_handle, int32_t nout,
                  arr_array* out) {
  return guard("arr_ix", [&] {
    const Arrays all(n, vectors, "vectors");
    auto s = stream(stream_handle);
    check_nout(nout, n, out);
    publish_all(arr::open_mesh(all.all(), s.get()), out);
  });
}

arr_status arr_indices(int32_t ndim, const int64_t* shape, arr_dtype dtype, const arr_device* device,
                       arr_stream stream_handle, arr_array* out) {
  return make_array("arr_indices", out, [&] {
    auto s = stream(stream_handle);
    return arr::grid_indices(shape_argument(ndim, shape), arr::dtype_from(dtype), arr::device_from(device),
                             s.get());
  });
}

arr_status arr_diag_indices(int64_t n, const arr_device* device, arr_stream stream_handle, int32_t nout,
                            arr_array* out) {
  return guard("arr_diag_indices", [&] {
    auto s = stream(stream_handle);
    if (nout > 0) check_pointer(out, "out");
    publish_all(arr::diagonal_indices(n, nout, arr::device_from(device), s.get()), out);
  });
}

arr_status arr_tril_indices(int64_t rows, int64_t columns, int64_t k, const arr_device* device,
                            arr_stream stream_handle, arr_array* out_i, arr_array* out_j) {
  return triangle("arr_tril_indices", rows, columns, k, true, device, stream_handle, out_i, out_j);
}

arr_status arr_triu_indices(int64_t rows, int64_t columns, int64_t k, const arr_device* device,
                            arr_stream stream_handle, arr_array* out_i, arr_array* out_j) {
  return triangle("arr_triu_indices", rows, columns, k, false, device, stream_handle, out_i, out_j);
}

arr_status arr_fill_diagonal(arr_array a, const arr_value* value, bool wrap, arr_stream stream_handle) {
  return guard("arr_fill_diagonal", [&] {
    auto x = array(a, "a");
    const Written written(value, "value", x->dtype);
    auto s = stream(stream_handle);
    arr::fill_diagonal(*x, written.input(), wrap, s.get());
  });
}
