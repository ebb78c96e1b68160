// SPDX-License-Identifier: MIT
// cuda_array_interface.h: GPU arrays by the fields of Python's protocol.
#include "arr/cuda_array_interface.h"

#include "capi/src/entry.h"
#include "dlpack/dlpack.h"

using namespace arr::capi;
using arr::Array;
using arr::Device;
using arr::DType;

namespace {

void check_gpu(Device device, const char* argument) {
  if (device.type != ARR_CUDA)
    arr::fail(ARR_E_ARGUMENT, "argument ", argument, ": on the host, expected a GPU");
}

// The type of "<f4", "|b1" and the like.
DType type_of(const char* typestr) {
  check_pointer(typestr, "in");
  const std::string_view given = typestr;
  for (int32_t n = 1; n < arr::dtype_limit && given.size() > 1; ++n) {
    if (!arr::is_dtype(n)) continue;
    const arr::DTypeInfo& t = arr::info(static_cast<DType>(n));
    const std::string_view own = t.npy;
    if (own.empty() || own.substr(1) != given.substr(1)) continue;
    if (given[0] == '<' || given[0] == '=' || t.bytes == 1) return t.dtype;
  }
  arr::fail(ARR_E_DTYPE, "argument in: typestr \"", given.substr(0, 40),
            "\" is not an element type of libarr");
}

}  // namespace

arr_status arr_to_cuda_array_interface(arr_array a, int64_t consumer_stream, arr_cuda_array_interface* out) {
  return guard("arr_to_cuda_array_interface", [&] {
    check_pointer(out, "out");
    check_size(*out, "out");
    auto x = array(a, "a");
    check_gpu(x->device(), "a");
    if (*arr::info(x->dtype).npy == '\0')
      arr::fail(ARR_E_DTYPE, "argument a: the protocol has no name for ", arr::name(x->dtype));
    if (consumer_stream < 0)
      arr::fail(ARR_E_ARGUMENT, "argument consumer_stream: ", consumer_stream,
                ", expected 0 (the call waits), 1 or 2 (default streams) or a CUstream");
    arr::expose_address(*x->buffer);
    if (consumer_stream == 0) {
      arr::finish_uses(*x->buffer);
    } else {
      arr::dlpack::follow_uses(*x->buffer, consumer_stream);
    }
    out->data = x->layout.size() == 0 ? nullptr : x->data;
    out->shape = x->layout.shape;
    out->strides = x->contiguous ? nullptr : x->layout.strides;
    out->typestr = arr::info(x->dtype).npy;
    out->stream = consumer_stream;
    out->ndim = x->layout.ndim;
    out->readonly = arr::write_obstacle(*x) != nullptr ? 1 : 0;
  });
}

arr_status arr_from_cuda_array_interface(const arr_cuda_array_interface* in, const arr_device* device,
                                         void (*drop)(void* ctx), void* ctx, arr_array* out) {
  return guard("arr_from_cuda_array_interface", [&] {
    check_pointer(out, "out");
    check_pointer(in, "in");
    check_size(*in, "in");
    const arr_device first = {ARR_CUDA, 0};
    const Device where = arr::device_from(device == nullptr ? &first : device);
    check_gpu(where, "device");
    if (in->stream < 0)
      arr::fail(ARR_E_ARGUMENT, "argument in: stream is ", in->stream, ", expected 0, 1, 2 or a CUstream");
    const DType dtype = type_of(in->typestr);
    const arr::Shape shape = shape_argument(in->ndim, in->shape);
    int64_t strides[arr::max_ndim];
    for (size_t i = 0; in->strides != nullptr && i < shape.size(); ++i) {
      if (in->strides[i] % arr::item_size(dtype) != 0 && shape[i] > 1)
        arr::fail(ARR_E_ARGUMENT, "argument in: the stride of axis ", i, ", ", in->strides[i],
                  " bytes, is not a number of ", arr::name(dtype), " elements");
      strides[i] = in->strides[i] / arr::item_size(dtype);
    }
    arr::Ref<Array> array =
        arr::wrap_array(in->data, dtype, shape, {strides, in->strides == nullptr ? 0 : shape.size()},
                        in->strides != nullptr, where, nullptr, nullptr, in->readonly != 0);
    arr::Buffer& memory = *array->buffer;
    if (in->stream != 0) arr::dlpack::follow_producer(memory, in->stream);
    arr_array handle = nullptr;
    publish<Array>(std::move(array), &handle);
    // Last, so that on failure the memory is still the caller's.
    arr::own(memory, drop, ctx);
    *out = handle;
  });
}
