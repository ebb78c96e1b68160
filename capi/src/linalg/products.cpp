// SPDX-License-Identifier: MIT
// products.h: products of vectors and tensors, Einstein sums, powers, traces and norms.
#include "ops/linalg/products.h"

#include <vector>

#include "capi/src/arguments.h"
#include "capi/src/entry.h"
#include "capi/src/linalg/norm_argument.h"

using namespace arr::capi;
using arr::Array;

namespace {

using Product = arr::Ref<Array>(const Array& a, const Array& b, arr::Stream* stream);

arr_status product(const char* function, Product* of, arr_array a, arr_array b, arr_stream stream_handle,
                   arr_array* out) noexcept {
  return make_array(function, out, [&] {
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return of(*x, *y, s.get());
  });
}

arr::PathMethod method_argument(int32_t method) {
  if (method < ARR_EINSUM_AUTO || method > ARR_EINSUM_OPTIMAL) {
    arr::fail(ARR_E_ARGUMENT, "argument method: ", method, ", expected one of ARR_EINSUM_...");
  }
  return static_cast<arr::PathMethod>(method);
}

std::string text_of(const arr::EinsumPath& path) {
  std::string text = "[";
  for (const std::vector<int32_t>& step : path.steps) {
    text += text.size() > 1 ? ", (" : "(";
    for (size_t i = 0; i < step.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(step[i]);
    text += step.size() == 1 ? ",)" : ")";
  }
  return text + "]";
}

}  // namespace

arr_status arr_dot(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return product("arr_dot", arr::dot, a, b, stream, out);
}

arr_status arr_vdot(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return product("arr_vdot", arr::vdot, a, b, stream, out);
}

arr_status arr_inner(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return product("arr_inner", arr::inner, a, b, stream, out);
}

arr_status arr_outer(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return product("arr_outer", arr::outer, a, b, stream, out);
}

arr_status arr_kron(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return product("arr_kron", arr::kron, a, b, stream, out);
}

arr_status arr_khatri_rao(arr_array a, arr_array b, arr_stream stream, arr_array* out) {
  return product("arr_khatri_rao", arr::khatri_rao, a, b, stream, out);
}

arr_status arr_tensordot(arr_array a, arr_array b, int32_t n, const int32_t* axes_a, const int32_t* axes_b,
                         arr_stream stream_handle, arr_array* out) {
  return make_array("arr_tensordot", out, [&] {
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    const int32_t max_axes = std::min(x->layout.ndim, y->layout.ndim);
    if (n < 0 || n > max_axes) {
      arr::fail(ARR_E_ARGUMENT, "argument n: ", n, " axes, expected 0 to ", max_axes, " of ",
                x->layout.text(), " and ", y->layout.text());
    }
    if ((axes_a == nullptr) != (axes_b == nullptr))
      check_pointer<int32_t>(nullptr, axes_a == nullptr ? "axes_a" : "axes_b");
    std::vector<int32_t> of_a, of_b;
    for (int32_t i = 0; i < n; ++i) {
      of_a.push_back(axes_a == nullptr ? i - n : axes_a[i]);
      of_b.push_back(axes_b == nullptr ? i : axes_b[i]);
    }
    return arr::tensordot(*x, *y, of_a, of_b, s.get());
  });
}

arr_status arr_einsum(const char* subscripts, int32_t n, const arr_array* operands, int32_t method,
                      arr_stream stream_handle, arr_array* out) {
  return make_array("arr_einsum", out, [&] {
    const std::string_view text = string_argument(subscripts, -1, "subscripts");
    const Arrays all(n, operands, "operands");
    auto s = stream(stream_handle);
    return arr::einsum(text, all.all(), method_argument(method), s.get());
  });
}

arr_status arr_einsum_with(const char* subscripts, int32_t n, const arr_array* operands, const char* path,
                           arr_stream stream_handle, arr_array* out) {
  return make_array("arr_einsum_with", out, [&] {
    const std::string_view text = string_argument(subscripts, -1, "subscripts");
    const std::string_view steps = string_argument(path, -1, "path");
    const Arrays all(n, operands, "operands");
    auto s = stream(stream_handle);
    return arr::einsum(text, all.all(), steps, s.get());
  });
}

arr_status arr_einsum_path(const char* subscripts, int32_t n, const arr_array* operands, int32_t method,
                           int64_t capacity, char* text, int64_t* length, double* cost, double* naive) {
  return guard("arr_einsum_path", [&] {
    const std::string_view form = string_argument(subscripts, -1, "subscripts");
    const Arrays all(n, operands, "operands");
    const arr::EinsumPath path = arr::einsum_path(form, all.all(), method_argument(method));
    put_text(text_of(path), capacity, text, length);
    if (cost != nullptr) *cost = path.cost;
    if (naive != nullptr) *naive = path.naive;
  });
}

arr_status arr_multi_dot(int32_t n, const arr_array* arrays, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_multi_dot", out, [&] {
    const Arrays all(n, arrays, "arrays");
    auto s = stream(stream_handle);
    return arr::multi_dot(all.all(), s.get());
  });
}

arr_status arr_matrix_power(arr_array a, int64_t n, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_matrix_power", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::matrix_power(*x, n, s.get());
  });
}

arr_status arr_trace(arr_array a, int64_t offset, int32_t axis1, int32_t axis2, arr_dtype dtype,
                     arr_stream stream_handle, arr_array* out) {
  return make_array("arr_trace", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::trace(*x, offset, axis1, axis2, optional_dtype(dtype), s.get());
  });
}

arr_status arr_matrix_norm(arr_array a, int32_t kind, double ord, bool keepdims, arr_stream stream_handle,
                           arr_array* out) {
  return make_array("arr_matrix_norm", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::matrix_norm(*x, kind_argument(kind), ord, -2, -1, keepdims, s.get());
  });
}

arr_status arr_cond(arr_array a, int32_t kind, double ord, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_cond", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::cond(*x, kind_argument(kind), ord, s.get());
  });
}

arr_status arr_norm(arr_array a, int32_t kind, double ord, int32_t naxes, const int32_t* axes, bool keepdims,
                    arr_stream stream_handle, arr_array* out) {
  return make_array("arr_norm", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    if (naxes > 0) check_pointer(axes, "axes");
    return arr::norm(*x, kind_argument(kind), ord, axes_argument(naxes, axes), keepdims, s.get());
  });
}
