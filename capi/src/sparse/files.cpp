// SPDX-License-Identifier: MIT
// sparse.h: files of sparse matrices.
#include "arr/sparse.h"
#include "capi/src/arguments.h"
#include "capi/src/sparse/handles.h"
#include "io/sparse_npz.h"

using namespace arr::capi;

arr_status arr_sparse_save_npz(arr_sparse a, const char* path, int64_t length, bool compressed,
                               arr_stream stream_handle) {
  return guard("arr_sparse_save_npz", [&] {
    auto x = sparse(a, "a");
    const std::string_view name = string_argument(path, length, "path");
    auto s = stream(stream_handle);
    arr::io::save_sparse_npz(*x, name, compressed, s.get());
  });
}

arr_status arr_sparse_load_npz(const char* path, int64_t length, const arr_device* device,
                               arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_load_npz", out, [&] {
    const std::string_view name = string_argument(path, length, "path");
    auto s = stream(stream_handle);
    return arr::io::load_sparse_npz(name, arr::device_from(device), s.get());
  });
}
