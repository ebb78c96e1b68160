// SPDX-License-Identifier: MIT
// iterative.h: linear operators.
#include "capi/src/arguments.h"
#include "capi/src/iterative/handles.h"
#include "capi/src/sparse/factors.h"
#include "capi/src/sparse/handles.h"
#include "runtime/devices.h"

using namespace arr::capi;
using arr::LinearOperator;

namespace {

template <class Body>
arr_status binary_linop(const char* function, arr_linop a, arr_linop b, arr_linop* out,
                        Body&& body) noexcept {
  return make_linop(function, out, [&] {
    auto x = linop(a, "a");
    auto y = linop(b, "b");
    return body(*x, *y);
  });
}

}  // namespace

arr_status arr_linop_from_sparse(arr_sparse a, arr_linop* out) {
  return make_linop("arr_linop_from_sparse", out, [&] { return arr::linop_of(*sparse(a, "a")); });
}

arr_status arr_linop_from_factor(arr_sparse_factor factor, arr_linop* out) {
  return make_linop("arr_linop_from_factor", out, [&] { return arr::linop_of(*factor_argument(factor)); });
}

arr_status arr_linop_from_dense(arr_array a, arr_linop* out) {
  return make_linop("arr_linop_from_dense", out, [&] { return arr::linop_of(*array(a, "a")); });
}

arr_status arr_linop_identity(int64_t n, arr_dtype dtype, const arr_device* device, arr_linop* out) {
  return make_linop("arr_linop_identity", out,
                    [&] { return arr::linop_identity(n, arr::dtype_from(dtype), arr::device_from(device)); });
}

arr_status arr_linop_diagonal(arr_array d, arr_linop* out) {
  return make_linop("arr_linop_diagonal", out, [&] { return arr::linop_diagonal(*array(d, "d")); });
}

arr_status arr_linop_jacobi(arr_sparse a, arr_stream stream_handle, arr_linop* out) {
  return make_linop("arr_linop_jacobi", out, [&] {
    auto x = sparse(a, "a");
    auto s = stream(stream_handle);
    return arr::linop_jacobi(*x, s.get());
  });
}

arr_status arr_linop_multigrid(arr_sparse a, double strength, arr_stream stream_handle, arr_linop* out) {
  return make_linop("arr_linop_multigrid", out, [&] {
    auto x = sparse(a, "a");
    auto s = stream(stream_handle);
    return arr::linop_multigrid(*x, strength, s.get());
  });
}

arr_status arr_linop_transpose(arr_linop a, arr_linop* out) {
  return make_linop("arr_linop_transpose", out,
                    [&] { return arr::linop_turned(*linop(a, "a"), arr::transpose_mode); });
}

arr_status arr_linop_adjoint(arr_linop a, arr_linop* out) {
  return make_linop("arr_linop_adjoint", out,
                    [&] { return arr::linop_turned(*linop(a, "a"), arr::adjoint_mode); });
}

arr_status arr_linop_sum(arr_linop a, arr_linop b, arr_linop* out) {
  return binary_linop("arr_linop_sum", a, b, out,
                      [](const LinearOperator& x, const LinearOperator& y) { return arr::linop_sum(x, y); });
}

arr_status arr_linop_scaled(arr_linop a, const arr_value* alpha, arr_linop* out) {
  return make_linop("arr_linop_scaled", out, [&] {
    auto x = linop(a, "a");
    Operands by;
    by.add(alpha, "alpha");
    return arr::linop_scaled(*x, by.inputs()[0]);
  });
}

arr_status arr_linop_product(arr_linop a, arr_linop b, arr_linop* out) {
  return binary_linop("arr_linop_product", a, b, out, [](const LinearOperator& x, const LinearOperator& y) {
    return arr::linop_product(x, y);
  });
}

arr_status arr_linop_power(arr_linop a, int64_t p, arr_linop* out) {
  return make_linop("arr_linop_power", out, [&] { return arr::linop_power(*linop(a, "a"), p); });
}

arr_status arr_linop_apply(arr_linop a, arr_array x, int32_t op, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_linop_apply", out, [&] {
    auto by = linop(a, "a");
    auto v = array(x, "x");
    const arr::Mode m = mode_argument(op);
    auto s = stream(stream_handle);
    arr::Ref<arr::Array> y = arr::apply(*by, m, *v, s.get());
    return y->buffer.get() == v->buffer.get() ? arr::copy(*y, arr::Order::C, s.get()) : y;
  });
}

arr_status arr_linop_info(arr_linop a, arr_linop_properties* properties) {
  return query("arr_linop_info", [&] {
    auto x = linop(a, "a");
    check_pointer(properties, "properties");
    check_size(*properties, "properties");
    *properties = {
        properties->struct_size,  x->extents.rows, x->extents.columns, static_cast<int64_t>(x->dtype),
        x->has_adjoint() ? 1 : 0, x->device.type,  x->device.index};
  });
}

arr_status arr_linop_retain(arr_linop a, arr_linop* out) {
  return make_linop("arr_linop_retain", out, [&] { return linop(a, "a").share(); });
}

arr_status arr_linop_release(arr_linop a) { return release(a, arr::Kind::linop); }
