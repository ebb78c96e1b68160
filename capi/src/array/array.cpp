// SPDX-License-Identifier: MIT
// creation.h and array.h: creation, handles, queries, transfer.
#include <cmath>

#include "capi/src/arguments.h"

using namespace arr::capi;
using arr::Array;
using arr::Order;
using arr::Ref;
using arr::Scalar;

namespace {

// Creates an array after checking every argument; a value of nullptr leaves the elements uninitialised.
arr_status create(const char* function, arr_dtype dtype, int32_t ndim, const int64_t* shape, int32_t order,
                  const Scalar* value, const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array(function, out, [&] {
    auto s = stream(stream_handle);
    arr::DType d = arr::dtype_from(dtype);
    arr::Device where = arr::device_from(device);
    arr::Shape dims = shape_argument(ndim, shape);
    Order o = arr::order_from(order);
    return value == nullptr ? arr::empty(d, dims, o, where, s.get())
                            : arr::full(d, dims, o, *value, where, s.get());
  });
}

arr_status create_like(const char* function, arr_array a, arr_dtype dtype, int32_t order, const Scalar* value,
                       arr_stream stream_handle, arr_array* out) {
  return make_array(function, out, [&] {
    auto like = array(a, "a");
    auto s = stream(stream_handle);
    arr::DType d = dtype == 0 ? like->dtype : arr::dtype_from(dtype);
    Ref<Array> fresh = arr::empty_like(*like, d, arr::order_from(order), s.get());
    if (value != nullptr) arr::fill(*fresh, *value, s.get());
    return fresh;
  });
}

const Scalar zero = {arr::DType::int64_, 0, 0};
const Scalar one = {arr::DType::int64_, 1, 0};

}  // namespace

arr_status arr_create(arr_dtype dtype, int32_t ndim, const int64_t* shape, int32_t order,
                      const arr_device* device, arr_stream stream, arr_array* out) {
  return create("arr_create", dtype, ndim, shape, order, nullptr, device, stream, out);
}

arr_status arr_create_pitched(arr_dtype dtype, int32_t ndim, const int64_t* shape, const arr_device* device,
                              arr_stream stream_handle, arr_array* out) {
  return make_array("arr_create_pitched", out, [&] {
    auto s = stream(stream_handle);
    return arr::empty_pitched(arr::dtype_from(dtype), shape_argument(ndim, shape), arr::device_from(device),
                              s.get());
  });
}

arr_status arr_zeros(arr_dtype dtype, int32_t ndim, const int64_t* shape, int32_t order,
                     const arr_device* device, arr_stream stream, arr_array* out) {
  return create("arr_zeros", dtype, ndim, shape, order, &zero, device, stream, out);
}

arr_status arr_ones(arr_dtype dtype, int32_t ndim, const int64_t* shape, int32_t order,
                    const arr_device* device, arr_stream stream, arr_array* out) {
  return create("arr_ones", dtype, ndim, shape, order, &one, device, stream, out);
}

arr_status arr_full(arr_dtype dtype, int32_t ndim, const int64_t* shape, int32_t order,
                    const arr_value* value, const arr_device* device, arr_stream stream, arr_array* out) {
  Scalar s;
  arr_status status = guard("arr_full", [&] { s = scalar_as(value, "value", arr::dtype_from(dtype)); });
  return status != ARR_OK ? status : create("arr_full", dtype, ndim, shape, order, &s, device, stream, out);
}

arr_status arr_empty_like(arr_array a, arr_dtype dtype, int32_t order, arr_stream stream, arr_array* out) {
  return create_like("arr_empty_like", a, dtype, order, nullptr, stream, out);
}

arr_status arr_zeros_like(arr_array a, arr_dtype dtype, int32_t order, arr_stream stream, arr_array* out) {
  return create_like("arr_zeros_like", a, dtype, order, &zero, stream, out);
}

arr_status arr_ones_like(arr_array a, arr_dtype dtype, int32_t order, arr_stream stream, arr_array* out) {
  return create_like("arr_ones_like", a, dtype, order, &one, stream, out);
}

arr_status arr_full_like(arr_array a, arr_dtype dtype, int32_t order, const arr_value* value,
                         arr_stream stream, arr_array* out) {
  Scalar s;
  arr_status status = guard("arr_full_like", [&] {
    s = scalar_as(value, "value", dtype == 0 ? array(a, "a")->dtype : arr::dtype_from(dtype));
  });
  return status != ARR_OK ? status : create_like("arr_full_like", a, dtype, order, &s, stream, out);
}

arr_status arr_arange(const arr_value* start, const arr_value* stop, const arr_value* step, arr_dtype dtype,
                      const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_arange", out, [&] {
    auto s = stream(stream_handle);
    Scalar first = start == nullptr ? zero : scalar_argument(start, "start");
    Scalar by = step == nullptr ? one : scalar_argument(step, "step");
    arr::DType d = dtype == 0 ? arr::DType::none : arr::dtype_from(dtype);
    return arr::arange(first, scalar_argument(stop, "stop"), by, d, arr::device_from(device), s.get());
  });
}

arr_status arr_linspace(double start, double stop, int64_t count, bool endpoint, arr_dtype dtype,
                        const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_linspace", out, [&] {
    auto s = stream(stream_handle);
    arr::DType d = dtype == 0 ? arr::DType::none : arr::dtype_from(dtype);
    return arr::linspace(start, stop, count, endpoint, d, arr::device_from(device), s.get());
  });
}

arr_status arr_linspace_with(arr_array start, arr_array stop, int64_t count, int32_t axis, bool endpoint,
                             arr_dtype dtype, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_linspace_with", out, [&] {
    auto x = array(start, "start");
    auto y = array(stop, "stop");
    auto s = stream(stream_handle);
    const arr::DType d = dtype == 0 ? arr::DType::none : arr::dtype_from(dtype);
    return arr::linspace(*x, *y, {count, endpoint}, axis, d, s.get());
  });
}

arr_status arr_logspace(double start, double stop, int64_t count, bool endpoint, double base, arr_dtype dtype,
                        const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_logspace", out, [&] {
    auto s = stream(stream_handle);
    return arr::logspace(start, stop, count, endpoint, base, optional_dtype(dtype), arr::device_from(device),
                         s.get());
  });
}

arr_status arr_eye(int64_t rows, int64_t columns, int64_t k, arr_dtype dtype, int32_t order,
                   const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_eye", out, [&] {
    auto s = stream(stream_handle);
    return arr::eye(rows, columns, k, arr::dtype_from(dtype), arr::order_from(order),
                    arr::device_from(device), s.get());
  });
}

arr_status arr_from_host(const void* host, int64_t nbytes, arr_dtype dtype, int32_t ndim,
                         const int64_t* shape, int32_t order, const arr_device* device,
                         arr_stream stream_handle, arr_array* out) {
  return make_array("arr_from_host", out, [&] {
    auto s = stream(stream_handle);
    Order o = arr::order_from(order);
    Ref<Array> fresh =
        arr::empty(arr::dtype_from(dtype), shape_argument(ndim, shape), o, arr::device_from(device), s.get());
    arr::set(*fresh, o, host, nbytes, s.get());
    return fresh;
  });
}

arr_status arr_wrap(void* data, arr_dtype dtype, int32_t ndim, const int64_t* shape, const int64_t* strides,
                    const arr_device* device, void (*drop)(void* ctx), void* ctx, arr_array* out) {
  return guard("arr_wrap", [&] {
    check_pointer(out, "out");
    arr::Shape dims = shape_argument(ndim, shape);
    std::span<const int64_t> steps{strides, strides == nullptr ? 0 : dims.size()};
    Ref<Array> a = arr::wrap_array(data, arr::dtype_from(dtype), dims, steps, strides != nullptr,
                                   arr::device_from(device), nullptr, nullptr, false);
    arr::Buffer& buffer = *a->buffer;
    publish<Array>(std::move(a), out);
    // The array takes drop only now, when nothing can fail any more, so that a failed call does not run it.
    arr::own(buffer, drop, ctx);
  });
}

arr_status arr_retain(arr_array a, arr_array* out) {
  return guard("arr_retain", [&] {
    check_pointer(out, "out");
    publish<Array>(array(a, "a").share(), out);
  });
}

arr_status arr_release(arr_array a) { return release(a, arr::Kind::array); }

arr_status arr_ndim(arr_array a, int32_t* ndim) {
  return query("arr_ndim", [&] {
    check_pointer(ndim, "ndim");
    *ndim = array(a, "a")->layout.ndim;
  });
}

arr_status arr_shape(arr_array a, int32_t capacity, int64_t* shape, int32_t* ndim) {
  return query("arr_shape", [&] {
    auto x = array(a, "a");
    put_dims(x->layout, x->layout.shape, 1, capacity, shape, ndim);
  });
}

arr_status arr_strides(arr_array a, int32_t capacity, int64_t* strides, int32_t* ndim) {
  return query("arr_strides", [&] {
    auto x = array(a, "a");
    put_dims(x->layout, x->layout.strides, x->item(), capacity, strides, ndim);
  });
}

arr_status arr_size(arr_array a, int64_t* size) {
  return query("arr_size", [&] {
    check_pointer(size, "size");
    *size = array(a, "a")->layout.size();
  });
}

arr_status arr_nbytes(arr_array a, int64_t* nbytes) {
  return query("arr_nbytes", [&] {
    check_pointer(nbytes, "nbytes");
    auto x = array(a, "a");
    *nbytes = arr::checked::mul(x->layout.size(), x->item(), "argument a: its size in bytes");
  });
}

arr_status arr_array_dtype(arr_array a, arr_dtype* dtype) {
  return query("arr_array_dtype", [&] {
    check_pointer(dtype, "dtype");
    *dtype = static_cast<arr_dtype>(array(a, "a")->dtype);
  });
}

arr_status arr_array_device(arr_array a, arr_device* device) {
  return query("arr_array_device", [&] {
    check_pointer(device, "device");
    arr::Device d = array(a, "a")->device();
    *device = {d.type, d.index};
  });
}

arr_status arr_array_flags(arr_array a, int32_t* flags) {
  return query("arr_array_flags", [&] {
    check_pointer(flags, "flags");
    auto x = array(a, "a");
    int64_t bytes = 0;  // the bytes of a broadcast array may exceed int64
    bool whole = x->data == x->buffer->data() && arr::checked::mul(x->layout.size(), x->item(), &bytes) &&
                 bytes == x->buffer->bytes();
    *flags = (x->contiguous ? ARR_FLAG_C : 0) |
             (x->layout.is_contiguous(x->item(), Order::F) ? ARR_FLAG_F : 0) |
             (x->is_readonly() ? ARR_FLAG_READONLY : 0) |
             (!whole || x->buffer->foreign() || x->buffer->shared() ? ARR_FLAG_VIEW : 0);
  });
}

arr_status arr_array_sync(arr_array a) {
  return guard("arr_array_sync", [&] {
    auto x = array(a, "a");
    materialize_for_write(*x->buffer);
    finish_uses(*x->buffer);
  });
}

arr_status arr_data(arr_array a, void** data) {
  return guard("arr_data", [&] {
    check_pointer(data, "data");
    auto x = array(a, "a");
    expose_address(*x->buffer);
    *data = x->data;
  });
}

arr_status arr_get(arr_array a, int32_t order, void* host, int64_t nbytes, arr_stream stream_handle) {
  return guard("arr_get", [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::get(*x, arr::order_from(order), host, nbytes, s.get());
  });
}

arr_status arr_set(arr_array a, int32_t order, const void* host, int64_t nbytes, arr_stream stream_handle) {
  return guard("arr_set", [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::set(*x, arr::order_from(order), host, nbytes, s.get());
  });
}

namespace {

Scalar item_of(arr_array a, int32_t n, const int64_t* index) {
  auto x = array(a, "a");
  if (n < 0 || n > arr::max_ndim)
    arr::fail(ARR_E_ARGUMENT, "argument n: ", n, " indices, expected 0 to ", arr::max_ndim);
  if (n > 0) check_pointer(index, "index");
  return arr::item(*x, {index, static_cast<size_t>(n)});
}

}  // namespace

arr_status arr_item_f64(arr_array a, int32_t n, const int64_t* index, double* x) {
  return guard("arr_item_f64", [&] {
    check_pointer(x, "x");
    *x = exact_f64(item_of(a, n, index), "a");
  });
}

arr_status arr_item_i64(arr_array a, int32_t n, const int64_t* index, int64_t* x) {
  return guard("arr_item_i64", [&] {
    check_pointer(x, "x");
    *x = exact_i64(item_of(a, n, index), "a");
  });
}

arr_status arr_item(arr_array a, int32_t n, const int64_t* index, arr_value* out) {
  return guard("arr_item", [&] {
    check_pointer(out, "out");
    const Scalar s = item_of(a, n, index);
    *out = {ARR_VALUE_SCALAR, static_cast<int32_t>(s.dtype), static_cast<int64_t>(s.lo),
            static_cast<int64_t>(s.hi)};
  });
}

arr_status arr_to_device(arr_array a, const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_to_device", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::to_device(*x, arr::device_from(device), s.get());
  });
}
