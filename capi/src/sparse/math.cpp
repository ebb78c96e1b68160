// SPDX-License-Identifier: MIT
// sparse.h: element-wise operations and reductions of sparse matrices.
#include "arr/sparse.h"
#include "capi/src/arguments.h"
#include "capi/src/linalg/norm_argument.h"
#include "capi/src/reduce/arguments.h"
#include "capi/src/sparse/handles.h"
#include "ops/sparse/elementwise.h"
#include "ops/sparse/norms.h"

using namespace arr::capi;
using arr::Sparse;

arr_status arr_sparse_unary(int32_t op, arr_sparse a, arr_stream stream_handle, arr_sparse* out) {
  return unary_elements("arr_sparse_unary", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    return arr::sparse_unary(ufunc_argument(op), x, s);
  });
}

arr_status arr_sparse_binary(int32_t op, arr_sparse a, arr_sparse b, arr_stream stream_handle,
                             arr_sparse* out) {
  return unary_elements("arr_sparse_binary", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    return arr::sparse_binary(ufunc_argument(op), x, *sparse_nd(b, "b"), s);
  });
}

arr_status arr_sparse_scale(int32_t op, arr_sparse a, const arr_value* x, arr_stream stream_handle,
                            arr_sparse* out) {
  return unary_elements("arr_sparse_scale", a, stream_handle, out, [&](const Sparse& matrix, arr::Stream* s) {
    const arr::OpInfo& info = ufunc_argument(op);
    Operands by;
    by.add(x, "x");
    return arr::sparse_with(info, matrix, by.inputs()[0], s);
  });
}

arr_status arr_sparse_reduce(int32_t reduction, arr_sparse a, int32_t axis, arr_dtype dtype,
                             arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_reduce", out, [&] {
    const arr::ReductionInfo& r = reduction_argument(reduction);
    auto x = sparse_nd(a, "a");
    auto s = stream(stream_handle);
    if (x->nd != nullptr && axis != ARR_AXIS_NONE) {
      const uint32_t along = 1U << arr::normalize_axis(x->nd->ndim, axis);
      return arr::sparse_reduce_axes(r, *x, along, false, optional_dtype(dtype), s.get());
    }
    return arr::sparse_reduce(r, *x, axis, optional_dtype(dtype), s.get());
  });
}

arr_status arr_sparse_norm(arr_sparse a, int32_t kind, double ord, int32_t axis, arr_stream stream_handle,
                           arr_array* out) {
  return make_array("arr_sparse_norm", out, [&] {
    const arr::NormKind k = kind_argument(kind);
    auto x = sparse(a, "a");
    auto s = stream(stream_handle);
    return arr::sparse_norm(*x, k, ord, axis, s.get());
  });
}
