// SPDX-License-Identifier: MIT
// Every number of a tensor is computed with in 128 bits and then compared with what 64 bits can hold.
#include "dlpack/validate.h"

#include <algorithm>
#include <limits>

#include "runtime/devices.h"

namespace arr::dlpack {

namespace {

__extension__ using Wide = __int128;

constexpr Wide max_int64 = std::numeric_limits<int64_t>::max(),
               min_int64 = std::numeric_limits<int64_t>::min();

DType dtype_of(const TensorType& t) {
  for (int32_t n = 1; n < dtype_limit; ++n) {
    if (!is_dtype(n)) continue;
    const DTypeInfo& i = info(static_cast<DType>(n));
    if (i.dlpack == t.code && i.bytes * 8 == t.bits && t.lanes == 1) return i.dtype;
  }
  fail(ARR_E_DTYPE, "argument t: DLPack type code ", int{t.code}, ", ", int{t.bits}, " bits, ", t.lanes,
       " lanes is not an element type of libarr");
}

Device device_of(const TensorDevice& d) {
  switch (d.type) {
    case device_cpu:
    case device_cuda_host:
    case device_cuda_managed:
      return {};  // the id has no meaning on the host
    case device_cuda: {
      arr_device cuda{ARR_CUDA, d.id};
      return device_from(&cuda, "t");
    }
    default:
      fail(ARR_E_FORMAT, "argument t: DLPack device type ", d.type,
           " is not one of 1 (CPU), 2 (CUDA), 3 (CUDA host), 13 (CUDA managed)");
  }
}

// Checks shape and strides. Returns whether there are elements.
bool check_shape(const Tensor& t, int64_t item, bool strides_required, Layout* out) {
  if (t.ndim < 0 || t.ndim > max_ndim) {
    fail(ARR_E_SHAPE, "argument t: ndim ", t.ndim, ", expected 0 to ", max_ndim);
  }
  if (t.ndim > 0 && t.shape == nullptr)
    fail(ARR_E_FORMAT, "argument t: shape is NULL for ", t.ndim, " dimensions");
  if (t.ndim > 0 && t.strides == nullptr && strides_required) {
    fail(ARR_E_FORMAT, "argument t: strides are NULL, which DLPack 1.2 and later do not allow");
  }
  *out = Layout::contiguous({t.shape, static_cast<size_t>(t.ndim)}, item, Order::C);
  if (out->size() == 0) return false;
  if (t.strides == nullptr) return true;
  for (int32_t i = 0; i < t.ndim; ++i) {
    if (t.shape[i] == 1) continue;  // never used, and some producers leave anything there
    Wide bytes = Wide{t.strides[i]} * item;
    if (bytes < min_int64 || bytes > max_int64) {
      fail(ARR_E_SHAPE, "argument t: stride ", t.strides[i], " of axis ", i,
           " does not fit in 64 bits as bytes");
    }
    out->strides[i] = static_cast<int64_t>(bytes);
  }
  return true;
}

// Fails unless every element lies at an address that is aligned for its type.
char* check_memory(const Tensor& t, const Checked& c) {
  int64_t item = item_size(c.dtype);
  if (t.data == nullptr) fail(ARR_E_FORMAT, "argument t: data is NULL for shape ", c.layout.text());
  Wide low = 0, high = 0;
  for (int32_t i = 0; i < c.layout.ndim; ++i) {
    if (c.layout.shape[i] == 1) continue;
    Wide span = Wide{c.layout.shape[i] - 1} * c.layout.strides[i];
    if (span < min_int64 || span > max_int64) {
      fail(ARR_E_SHAPE, "argument t: axis ", i, " of extent ", c.layout.shape[i],
           " reaches beyond 2^63 bytes");
    }
    (span < 0 ? low : high) += span;
  }
  high += item;
  if (high - low > max_int64 || low < -max_int64)
    fail(ARR_E_SHAPE, "argument t: its axes together reach beyond 2^63 bytes");
  Wide base = static_cast<Wide>(reinterpret_cast<uintptr_t>(t.data)),
       first = base + static_cast<Wide>(t.byte_offset);
  Wide end = Wide{std::numeric_limits<uintptr_t>::max()};
  if (static_cast<Wide>(t.byte_offset) > max_int64 || first + low <= 0 || first + high > end) {
    fail(ARR_E_SHAPE, "argument t: byte_offset ", t.byte_offset, " and strides leave the address space");
  }
  // On a GPU a complex number is loaded as one.
  int64_t align = c.device.type == ARR_HOST && is_complex(c.dtype) ? item / 2 : item;
  if (first % align != 0) {
    fail(ARR_E_FORMAT, "argument t: its first element is not aligned to ", align, " bytes, as ",
         name(c.dtype), " must be");
  }
  return static_cast<char*>(t.data) + t.byte_offset;
}

}  // namespace

Checked check(const Tensor& t, bool strides_required) {
  Checked c;
  c.dtype = dtype_of(t.dtype);
  c.device_type = t.device.type;
  bool any = check_shape(t, item_size(c.dtype), strides_required, &c.layout);
  c.device = device_of(t.device);
  if (any) c.first = check_memory(t, c);
  return c;
}

}  // namespace arr::dlpack
