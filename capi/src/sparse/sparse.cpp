// SPDX-License-Identifier: MIT
// sparse.h: sparse matrices, their parts, formats and products.
#include "arr/sparse.h"

#include "capi/src/linalg/arguments.h"
#include "capi/src/random/generators.h"
#include "capi/src/sparse/handles.h"
#include "ops/sparse/build.h"
#include "ops/sparse/products.h"
#include "runtime/devices.h"

using namespace arr::capi;
using arr::Sparse;
using arr::SparseFormat;

namespace {

arr_status compressed(const char* function, SparseFormat format, int64_t rows, int64_t columns,
                      arr_array data, arr_array indices, arr_array indptr, arr_stream stream_handle,
                      arr_sparse* out) noexcept {
  return make_matrix(function, out, [&] {
    auto d = array(data, "data");
    auto i = array(indices, "indices");
    auto p = array(indptr, "indptr");
    auto s = stream(stream_handle);
    return arr::sparse_compressed(format, {rows, columns}, *d, *i, *p, s.get());
  });
}

// The part; ARR_E_ARGUMENT if the format does not have it.
const arr::Ref<arr::Array>& part_of(const Sparse& a, int32_t part) {
  const bool compressed = a.compressed();
  if (part == ARR_SPARSE_PART_DATA) return a.data;
  if (a.nd != nullptr) {
    arr::fail(ARR_E_ARGUMENT, "argument part: ", part, ", expected ARR_SPARSE_PART_DATA of shape ",
              a.nd->text(), "; see arr_sparse_coords");
  }
  if (part == (compressed ? ARR_SPARSE_PART_INDPTR : ARR_SPARSE_PART_ROW)) return a.outer;
  if (part == (compressed ? ARR_SPARSE_PART_INDICES : ARR_SPARSE_PART_COL)) return a.inner;
  arr::fail(ARR_E_ARGUMENT, "argument part: ", part, ", expected ARR_SPARSE_PART_DATA, ",
            compressed ? "ARR_SPARSE_PART_INDICES or ARR_SPARSE_PART_INDPTR"
                       : "ARR_SPARSE_PART_ROW or ARR_SPARSE_PART_COL",
            " in ", name(a.format));
}

}  // namespace

arr_status arr_sparse_coo(int64_t rows, int64_t columns, arr_array data, arr_array row, arr_array col,
                          arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_coo", out, [&] {
    auto d = array(data, "data");
    auto r = array(row, "row");
    auto c = array(col, "col");
    auto s = stream(stream_handle);
    return arr::sparse_coo({rows, columns}, *d, *r, *c, s.get());
  });
}

arr_status arr_sparse_csr(int64_t rows, int64_t columns, arr_array data, arr_array indices, arr_array indptr,
                          arr_stream stream_handle, arr_sparse* out) {
  return compressed("arr_sparse_csr", SparseFormat::csr, rows, columns, data, indices, indptr, stream_handle,
                    out);
}

arr_status arr_sparse_csc(int64_t rows, int64_t columns, arr_array data, arr_array indices, arr_array indptr,
                          arr_stream stream_handle, arr_sparse* out) {
  return compressed("arr_sparse_csc", SparseFormat::csc, rows, columns, data, indices, indptr, stream_handle,
                    out);
}

arr_status arr_sparse_from_dense(arr_array a, int32_t format, arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_from_dense", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    const SparseFormat to = format_argument(format);
    const bool nd = to == SparseFormat::coo && x->layout.ndim != 2;
    return nd ? arr::sparse_from_dense_nd(*x, s.get()) : arr::sparse_from_dense(*x, to, s.get());
  });
}

arr_status arr_sparse_eye(int64_t rows, int64_t columns, int64_t k, arr_dtype dtype, const arr_device* device,
                          arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_eye", out, [&] {
    const arr::DType d = arr::dtype_from(dtype);
    auto s = stream(stream_handle);
    return arr::sparse_eye({rows, columns}, k, d, arr::device_from(device), s.get());
  });
}

arr_status arr_sparse_diags(int64_t rows, int64_t columns, int32_t n, const arr_array* diagonals,
                            const int64_t* offsets, arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_diags", out, [&] {
    const Arrays given(n, diagonals, "diagonals");
    if (n < 1) arr::fail(ARR_E_ARGUMENT, "argument n: no diagonal, expected 1 or more");
    check_pointer(offsets, "offsets");
    auto s = stream(stream_handle);
    return arr::sparse_diags({rows, columns}, given.all(), {offsets, static_cast<size_t>(n)}, s.get());
  });
}

arr_status arr_sparse_random(arr_generator generator, int64_t rows, int64_t columns, double density,
                             int32_t format, arr_dtype dtype, const arr_device* device,
                             arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_random", out, [&] {
    const Used g(generator);
    const arr::DType d = arr::dtype_from(dtype);
    auto s = stream(stream_handle);
    return arr::sparse_random(*g, {rows, columns}, density, format_argument(format), d,
                              arr::device_from(device), s.get());
  });
}

arr_status arr_sparse_info(arr_sparse a, arr_sparse_properties* properties) {
  return query("arr_sparse_info", [&] {
    auto x = sparse_nd(a, "a");
    check_pointer(properties, "properties");
    check_size(*properties, "properties");
    *properties = {properties->struct_size,
                   x->nd != nullptr ? ARR_SPARSE_COO : static_cast<int64_t>(x->format),
                   x->extents.rows,
                   x->extents.columns,
                   x->nnz(),
                   static_cast<int64_t>(x->dtype()),
                   static_cast<int64_t>(x->index_type())};
  });
}

arr_status arr_sparse_part(arr_sparse a, int32_t part, arr_array* out) {
  return make_array("arr_sparse_part", out, [&] {
    auto x = sparse_nd(a, "a");
    return arr::Ref<arr::Array>(part_of(*x, part));
  });
}

arr_status arr_sparse_with_data(arr_sparse a, arr_array data, arr_stream stream_handle, arr_sparse* out) {
  return unary_elements("arr_sparse_with_data", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    auto d = array(data, "data");
    return arr::with_data(x, *d, s);
  });
}

arr_status arr_sparse_is_canonical(arr_sparse a, arr_stream stream_handle, bool* canonical) {
  return guard("arr_sparse_is_canonical", [&] {
    auto x = sparse_nd(a, "a");
    auto s = stream(stream_handle);
    check_pointer(canonical, "canonical");
    *canonical = x->canonical(s.get());
  });
}

arr_status arr_sparse_to_dense(arr_sparse a, int32_t order, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_to_dense", out, [&] {
    auto x = sparse_nd(a, "a");
    auto s = stream(stream_handle);
    const arr::Order o = arr::order_from(order);
    return x->nd != nullptr ? arr::to_dense_nd(*x, o, s.get()) : arr::to_dense(*x, o, s.get());
  });
}

arr_status arr_sparse_convert(arr_sparse a, int32_t format, arr_stream stream_handle, arr_sparse* out) {
  return unary_matrix("arr_sparse_convert", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    return arr::convert(x, format_argument(format), s);
  });
}

arr_status arr_sparse_astype(arr_sparse a, arr_dtype dtype, int32_t casting, arr_stream stream_handle,
                             arr_sparse* out) {
  return unary_elements("arr_sparse_astype", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    return arr::astype(x, arr::dtype_from(dtype), casting_argument(casting), s);
  });
}

arr_status arr_sparse_sum_duplicates(arr_sparse a, arr_stream stream_handle, arr_sparse* out) {
  return unary_elements("arr_sparse_sum_duplicates", a, stream_handle, out,
                        [](const Sparse& x, arr::Stream* s) { return arr::sum_duplicates(x, s); });
}

arr_status arr_sparse_eliminate_zeros(arr_sparse a, arr_stream stream_handle, arr_sparse* out) {
  return unary_elements("arr_sparse_eliminate_zeros", a, stream_handle, out,
                        [](const Sparse& x, arr::Stream* s) { return arr::eliminate_zeros(x, s); });
}

arr_status arr_sparse_transpose(arr_sparse a, arr_sparse* out) {
  return make_matrix("arr_sparse_transpose", out, [&] { return sparse(a, "a")->transpose(); });
}

arr_status arr_sparse_matmul(arr_sparse a, arr_array x, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_matmul", out, [&] {
    auto left = sparse(a, "a");
    auto right = array(x, "x");
    auto s = stream(stream_handle);
    return arr::matmul(*left, *right, s.get());
  });
}

arr_status arr_sparse_matmul_into(arr_array dst, arr_sparse a, arr_array x, const arr_value* alpha,
                                  const arr_value* beta, arr_stream stream_handle) {
  return guard("arr_sparse_matmul_into", [&] {
    auto to = array(dst, "dst");
    auto left = sparse(a, "a");
    auto right = array(x, "x");
    const arr::Scaling by{factor_argument(alpha, "alpha"), factor_argument(beta, "beta")};
    auto s = stream(stream_handle);
    arr::matmul_into(*to, *left, *right, by, s.get());
  });
}

arr_status arr_sparse_rmatmul(arr_array x, arr_sparse a, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_rmatmul", out, [&] {
    auto left = array(x, "x");
    auto right = sparse(a, "a");
    auto s = stream(stream_handle);
    return arr::matmul(*left, *right, s.get());
  });
}

arr_status arr_sparse_product(arr_sparse a, arr_sparse b, arr_stream stream_handle, arr_sparse* out) {
  return binary_matrix("arr_sparse_product", a, b, stream_handle, out,
                       [](const Sparse& x, const Sparse& y, arr::Stream* s) { return arr::matmul(x, y, s); });
}

arr_status arr_sparse_retain(arr_sparse a, arr_sparse* out) {
  return make_matrix("arr_sparse_retain", out, [&] { return sparse_nd(a, "a").share(); });
}

arr_status arr_sparse_release(arr_sparse a) { return release(a, arr::Kind::sparse); }
