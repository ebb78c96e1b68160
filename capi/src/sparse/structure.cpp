// SPDX-License-Identifier: MIT
// sparse_structure.h: indexing and joining of sparse matrices.
#include "arr/sparse_structure.h"

#include "capi/src/arguments.h"
#include "capi/src/indexing/arguments.h"
#include "capi/src/sparse/handles.h"
#include "ops/sparse/items.h"
#include "ops/sparse/join.h"
#include "ops/sparse/shape.h"

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

arr_status arr_sparse_diagonal(arr_sparse a, int64_t k, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_diagonal", out, [&] {
    auto x = sparse(a, "a");
    auto s = stream(stream_handle);
    return arr::sparse_diagonal(*x, k, s.get());
  });
}

arr_status arr_sparse_with_diagonal(arr_sparse a, const arr_value* value, int64_t k, arr_stream stream_handle,
                                    arr_sparse* out) {
  return unary_matrix("arr_sparse_with_diagonal", a, stream_handle, out,
                      [&](const Sparse& x, arr::Stream* s) {
                        const Written written(value, "value", x.dtype());
                        return arr::with_diagonal(x, written.input(), k, s);
                      });
}

arr_status arr_sparse_tril(arr_sparse a, int64_t k, arr_stream stream_handle, arr_sparse* out) {
  return unary_matrix("arr_sparse_tril", a, stream_handle, out,
                      [&](const Sparse& x, arr::Stream* s) { return arr::sparse_triangle(x, k, true, s); });
}

arr_status arr_sparse_triu(arr_sparse a, int64_t k, arr_stream stream_handle, arr_sparse* out) {
  return unary_matrix("arr_sparse_triu", a, stream_handle, out,
                      [&](const Sparse& x, arr::Stream* s) { return arr::sparse_triangle(x, k, false, s); });
}

arr_status arr_sparse_reshape(arr_sparse a, int64_t rows, int64_t columns, arr_stream stream_handle,
                              arr_sparse* out) {
  return unary_matrix("arr_sparse_reshape", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    return arr::sparse_reshape(x, {rows, columns}, s);
  });
}

arr_status arr_sparse_concatenate(int32_t n, const arr_sparse* parts, int32_t axis, int32_t format,
                                  arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_concatenate", out, [&] {
    const Matrices all(n, parts, "parts");
    auto s = stream(stream_handle);
    return arr::concatenate(all.all(), axis, format_argument(format), s.get());
  });
}

arr_status arr_sparse_block(int32_t n, const arr_sparse* blocks, int32_t columns, int32_t format,
                            arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_block", out, [&] {
    if (columns < 1 || n < 1 || n % columns != 0) {
      arr::fail(ARR_E_ARGUMENT, "argument columns: ", columns, " beside each other of ", n,
                " blocks, expected full rows of 1 or more");
    }
    const Matrices all(n, blocks, "blocks", Matrices::Of::matrices_and_gaps);
    auto s = stream(stream_handle);
    return arr::sparse_block(all.all(), columns, format_argument(format), s.get());
  });
}

arr_status arr_sparse_block_diag(int32_t n, const arr_sparse* parts, int32_t format, arr_stream stream_handle,
                                 arr_sparse* out) {
  return make_matrix("arr_sparse_block_diag", out, [&] {
    const Matrices all(n, parts, "parts");
    auto s = stream(stream_handle);
    return arr::block_diagonal(all.all(), format_argument(format), s.get());
  });
}

arr_status arr_sparse_kron(arr_sparse a, arr_sparse b, int32_t format, arr_stream stream_handle,
                           arr_sparse* out) {
  return binary_matrix("arr_sparse_kron", a, b, stream_handle, out,
                       [&](const Sparse& x, const Sparse& y, arr::Stream* s) {
                         return arr::kron(x, y, format_argument(format), s);
                       });
}

arr_status arr_sparse_kronsum(arr_sparse a, arr_sparse b, int32_t format, arr_stream stream_handle,
                              arr_sparse* out) {
  return binary_matrix("arr_sparse_kronsum", a, b, stream_handle, out,
                       [&](const Sparse& x, const Sparse& y, arr::Stream* s) {
                         return arr::kronsum(x, y, format_argument(format), s);
                       });
}

arr_status arr_sparse_matrix_power(arr_sparse a, int64_t n, arr_stream stream_handle, arr_sparse* out) {
  return unary_matrix("arr_sparse_matrix_power", a, stream_handle, out,
                      [&](const Sparse& x, arr::Stream* s) { return arr::matrix_power(x, n, s); });
}

arr_status arr_sparse_argmax(arr_sparse a, int32_t axis, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_argmax", out, [&] {
    auto x = sparse_nd(a, "a");
    auto s = stream(stream_handle);
    return arr::sparse_extreme_index(true, *x, axis, s.get());
  });
}

arr_status arr_sparse_argmin(arr_sparse a, int32_t axis, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_argmin", out, [&] {
    auto x = sparse_nd(a, "a");
    auto s = stream(stream_handle);
    return arr::sparse_extreme_index(false, *x, axis, s.get());
  });
}
