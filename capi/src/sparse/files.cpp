// SPDX-License-Identifier: MIT
// sparse.h: files and text of sparse matrices.
#include "arr/sparse.h"
#include "capi/src/arguments.h"
#include "capi/src/sparse/handles.h"
#include "io/matrix_market.h"
#include "io/sparse_npz.h"
#include "ops/sparse/text.h"

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

arr_status arr_sparse_save_mtx(arr_sparse a, const char* path, int64_t length, int32_t symmetry,
                               const char* comment, arr_stream stream_handle) {
  return guard("arr_sparse_save_mtx", [&] {
    auto x = sparse(a, "a");
    const std::string_view name = string_argument(path, length, "path");
    if (symmetry < ARR_MTX_GENERAL || symmetry > ARR_MTX_HERMITIAN) {
      arr::fail(ARR_E_ARGUMENT, "argument symmetry: ", symmetry, ", expected one of ARR_MTX_...");
    }
    auto s = stream(stream_handle);
    arr::io::save_mtx(*x, name, static_cast<arr::io::MtxSymmetry>(symmetry),
                      comment == nullptr ? "" : comment, s.get());
  });
}

arr_status arr_sparse_load_mtx(const char* path, int64_t length, const arr_device* device,
                               arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_load_mtx", out, [&] {
    const std::string_view name = string_argument(path, length, "path");
    auto s = stream(stream_handle);
    return arr::io::load_mtx(name, arr::device_from(device), s.get());
  });
}

arr_status arr_sparse_format(arr_sparse a, int64_t max_elements, int64_t capacity, char* text,
                             int64_t* length) {
  return guard("arr_sparse_format", [&] {
    auto x = sparse_nd(a, "a");
    put_text(arr::format(*x, max_elements), capacity, text, length);
  });
}

arr_status arr_sparse_print(arr_sparse a) {
  return guard("arr_sparse_print", [&] { put_line(arr::format(*sparse_nd(a, "a"), 0)); });
}
