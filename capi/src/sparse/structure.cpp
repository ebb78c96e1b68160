// SPDX-License-Identifier: MIT
// sparse_structure.h: parts of sparse matrices by indices.
#include "arr/sparse_structure.h"

#include "capi/src/arguments.h"
#include "capi/src/indexing/arguments.h"
#include "capi/src/sparse/handles.h"
#include "ops/sparse/items.h"

using namespace arr::capi;
using arr::Sparse;

arr_status arr_sparse_get_items(arr_sparse a, int32_t nindices, const arr_index* indices,
                                arr_stream stream_handle, arr_sparse* out) {
  return unary_matrix("arr_sparse_get_items", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    const Indices all(nindices, indices);
    return arr::get_items(x, all.all(), s);
  });
}

arr_status arr_sparse_elements(arr_sparse a, arr_array rows, arr_array cols, arr_stream stream_handle,
                               arr_array* out) {
  return make_array("arr_sparse_elements", out, [&] {
    auto x = sparse(a, "a");
    auto i = array(rows, "rows"), j = array(cols, "cols");
    auto s = stream(stream_handle);
    return arr::elements_at(*x, *i, *j, s.get());
  });
}

arr_status arr_sparse_with_items(arr_sparse a, int32_t nindices, const arr_index* indices, arr_sparse block,
                                 arr_stream stream_handle, arr_sparse* out) {
  return unary_matrix("arr_sparse_with_items", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    const Indices all(nindices, indices);
    auto y = sparse(block, "block");
    return arr::with_items(x, all.all(), *y, s);
  });
}

arr_status arr_sparse_with_elements(arr_sparse a, arr_array rows, arr_array cols, const arr_value* value,
                                    arr_stream stream_handle, arr_sparse* out) {
  return unary_matrix("arr_sparse_with_elements", a, stream_handle, out,
                      [&](const Sparse& x, arr::Stream* s) {
                        auto i = array(rows, "rows"), j = array(cols, "cols");
                        const Written written(value, "value", x.dtype());
                        return arr::with_elements(x, *i, *j, written.input(), s);
                      });
}
