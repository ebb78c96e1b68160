// SPDX-License-Identifier: MIT
// sparse.h: matrices of diagonals and of dense blocks.
#include "ops/sparse/blocks.h"

#include "arr/sparse.h"
#include "capi/src/arguments.h"
#include "capi/src/sparse/handles.h"

using namespace arr::capi;

arr_status arr_sparse_dia(int64_t rows, int64_t columns, arr_array data, arr_array offsets,
                          arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_dia", out, [&] {
    auto d = array(data, "data");
    auto k = array(offsets, "offsets");
    auto s = stream(stream_handle);
    return arr::sparse_dia({rows, columns}, *d, *k, s.get());
  });
}

arr_status arr_sparse_bsr(int64_t rows, int64_t columns, arr_array data, arr_array indices, arr_array indptr,
                          arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_bsr", out, [&] {
    auto d = array(data, "data");
    auto i = array(indices, "indices");
    auto p = array(indptr, "indptr");
    auto s = stream(stream_handle);
    return arr::sparse_bsr({rows, columns}, *d, *i, *p, s.get());
  });
}

arr_status arr_sparse_to_dia(arr_sparse a, arr_stream stream_handle, arr_array* out_data,
                             arr_array* out_offsets) {
  return guard("arr_sparse_to_dia", [&] {
    check_pointer(out_data, "out_data");
    check_pointer(out_offsets, "out_offsets");
    auto x = sparse(a, "a");
    auto s = stream(stream_handle);
    const arr::Diagonals d = arr::to_dia(*x, s.get());
    publish_wanted({{d.data, out_data}, {d.offsets, out_offsets}});
  });
}

arr_status arr_sparse_to_bsr(arr_sparse a, int64_t block_rows, int64_t block_columns,
                             arr_stream stream_handle, arr_array* out_data, arr_array* out_indices,
                             arr_array* out_indptr) {
  return guard("arr_sparse_to_bsr", [&] {
    check_pointer(out_data, "out_data");
    check_pointer(out_indices, "out_indices");
    check_pointer(out_indptr, "out_indptr");
    auto x = sparse(a, "a");
    auto s = stream(stream_handle);
    const arr::Blocks b = arr::to_bsr(*x, {block_rows, block_columns}, s.get());
    publish_wanted({{b.data, out_data}, {b.indices, out_indices}, {b.pointers, out_indptr}});
  });
}
