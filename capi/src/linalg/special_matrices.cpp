// SPDX-License-Identifier: MIT
// special_matrices.h: matrices made from vectors or from their size.
#include "ops/linalg/special_matrices.h"

#include "capi/src/arguments.h"
#include "capi/src/entry.h"

using namespace arr::capi;
using arr::Array;

namespace {

// A function of two vectors; the second may be NULL.
template <class Body>
arr_status of_vectors(const char* function, arr_array c, arr_array r, arr_stream stream_handle,
                      arr_array* out, Body&& body) noexcept {
  return make_array(function, out, [&] {
    auto x = array(c, "c");
    auto y = optional_array(r, "r");
    auto s = stream(stream_handle);
    return body(*x, y.get(), s.get());
  });
}

// A function of a size.
template <class Body>
arr_status of_size(const char* function, arr_dtype dtype, const arr_device* device, arr_stream stream_handle,
                   arr_array* out, Body&& body) noexcept {
  return make_array(function, out, [&] {
    auto s = stream(stream_handle);
    return body(arr::NewArray{optional_dtype(dtype), arr::device_from(device), s.get()});
  });
}

}  // namespace

arr_status arr_toeplitz(arr_array c, arr_array r, arr_stream stream, arr_array* out) {
  return of_vectors("arr_toeplitz", c, r, stream, out, arr::toeplitz);
}

arr_status arr_hankel(arr_array c, arr_array r, arr_stream stream, arr_array* out) {
  return of_vectors("arr_hankel", c, r, stream, out, arr::hankel);
}

arr_status arr_circulant(arr_array c, arr_stream stream, arr_array* out) {
  return unary_call("arr_circulant", c, "c", stream, out, arr::circulant);
}

arr_status arr_convolution_matrix(arr_array a, int64_t n, int32_t mode, arr_stream stream, arr_array* out) {
  return unary_call("arr_convolution_matrix", a, "a", stream, out, [&](const Array& x, arr::Stream* s) {
    return arr::convolution_matrix(x, n, convolve_mode(mode), s);
  });
}

arr_status arr_companion(arr_array a, arr_stream stream, arr_array* out) {
  return unary_call("arr_companion", a, "a", stream, out, arr::companion);
}

arr_status arr_fiedler_companion(arr_array a, arr_stream stream, arr_array* out) {
  return unary_call("arr_fiedler_companion", a, "a", stream, out, arr::fiedler_companion);
}

arr_status arr_leslie(arr_array f, arr_array s, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_leslie", out, [&] {
    auto x = array(f, "f");
    auto y = array(s, "s");
    auto queue = stream(stream_handle);
    return arr::leslie(*x, *y, queue.get());
  });
}

arr_status arr_fiedler(arr_array a, arr_stream stream, arr_array* out) {
  return unary_call("arr_fiedler", a, "a", stream, out, arr::fiedler);
}

arr_status arr_block_diag(int32_t n, const arr_array* blocks, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_block_diag", out, [&] {
    const Arrays all(n, blocks, "blocks");
    auto s = stream(stream_handle);
    return arr::block_diag(all.all(), s.get());
  });
}

arr_status arr_diag(arr_array v, int64_t k, arr_stream stream, arr_array* out) {
  return unary_call("arr_diag", v, "v", stream, out,
                    [&](const Array& x, arr::Stream* s) { return arr::diag(x, k, s); });
}

arr_status arr_diagflat(arr_array v, int64_t k, arr_stream stream, arr_array* out) {
  return unary_call("arr_diagflat", v, "v", stream, out,
                    [&](const Array& x, arr::Stream* s) { return arr::diagflat(x, k, s); });
}

arr_status arr_tril(arr_array a, int64_t k, arr_stream stream, arr_array* out) {
  return unary_call("arr_tril", a, "a", stream, out,
                    [&](const Array& x, arr::Stream* s) { return arr::tril(x, k, s); });
}

arr_status arr_triu(arr_array a, int64_t k, arr_stream stream, arr_array* out) {
  return unary_call("arr_triu", a, "a", stream, out,
                    [&](const Array& x, arr::Stream* s) { return arr::triu(x, k, s); });
}

arr_status arr_bandwidth(arr_array a, arr_stream stream_handle, int64_t* lower, int64_t* upper) {
  return guard("arr_bandwidth", [&] {
    check_pointer(lower, "lower");
    check_pointer(upper, "upper");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    const arr::Bandwidth b = arr::bandwidth(*x, s.get());
    *lower = b.lower;
    *upper = b.upper;
  });
}

arr_status arr_tri(int64_t rows, int64_t columns, int64_t k, arr_dtype dtype, const arr_device* device,
                   arr_stream stream, arr_array* out) {
  return of_size("arr_tri", dtype, device, stream, out,
                 [&](const arr::NewArray& m) { return arr::tri(rows, columns, k, m); });
}

arr_status arr_hadamard(int64_t n, arr_dtype dtype, const arr_device* device, arr_stream stream,
                        arr_array* out) {
  return of_size("arr_hadamard", dtype, device, stream, out,
                 [&](const arr::NewArray& m) { return arr::hadamard(n, m); });
}

arr_status arr_hilbert(int64_t n, arr_dtype dtype, const arr_device* device, arr_stream stream,
                       arr_array* out) {
  return of_size("arr_hilbert", dtype, device, stream, out,
                 [&](const arr::NewArray& m) { return arr::hilbert(n, m); });
}

arr_status arr_helmert(int64_t n, bool full, arr_dtype dtype, const arr_device* device, arr_stream stream,
                       arr_array* out) {
  return of_size("arr_helmert", dtype, device, stream, out,
                 [&](const arr::NewArray& m) { return arr::helmert(n, full, m); });
}

arr_status arr_dft(int64_t n, int32_t scale, arr_dtype dtype, const arr_device* device, arr_stream stream,
                   arr_array* out) {
  return of_size("arr_dft", dtype, device, stream, out, [&](const arr::NewArray& m) {
    if (scale < ARR_DFT_UNSCALED || scale > ARR_DFT_N) {
      arr::fail(ARR_E_ARGUMENT, "argument scale: ", scale, ", expected one of ARR_DFT_...");
    }
    return arr::dft(n, static_cast<arr::DftScale>(scale), m);
  });
}
