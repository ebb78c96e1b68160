// SPDX-License-Identifier: MIT
// Transfers elements between files and arrays.
#include "io/transfer.h"

#include "ops/elementwise/create.h"

namespace arr::io {

Ref<Array> host_elements(const Array& a, Order order, Stream* stream) {
  Ref<Array> dense;
  if (a.device() == Device{}) {
    dense = contiguous(a, order, stream);
  } else {
    dense = empty(a.dtype, a.layout.dims(), order, {}, nullptr);
    get(a, order, dense->data, a.layout.size() * a.item(), stream);
  }
  read_here(*dense->buffer);
  return dense;
}

Ref<Array> new_elements(DType dtype, std::span<const int64_t> shape, Order order, Device device,
                        Stream* stream) {
  return empty(dtype, shape, order, {}, device == Device{} ? stream : nullptr);
}

Ref<Array> placed(Ref<Array> elements, Device device, Stream* stream) {
  const Array& a = *elements;
  if (a.dtype == DType::bool_) {
    // A file may contain any byte; a bool becomes 0 or 1.
    const int64_t n = a.layout.size();
    for (int64_t i = 0; i < n; ++i) a.data[i] = a.data[i] != 0 ? 1 : 0;
  }
  if (device == Device{}) return elements;
  Ref<Array> there = to_device(a, device, stream);
  finish_uses(*there->buffer);
  return there;
}

}  // namespace arr::io
