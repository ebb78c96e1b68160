// SPDX-License-Identifier: MIT
// Transfers elements between files, which the host reads and writes, and arrays on any device.
#pragma once

#include "array/array.h"
#include "runtime/streams.h"

namespace arr::io {

// The elements in that order in host memory, ready to be read: a itself if it is there already.
Ref<Array> host_elements(const Array& a, Order order, Stream* stream);
// A new host array; in the stream if the array stays on the host.
Ref<Array> new_elements(DType dtype, std::span<const int64_t> shape, Order order, Device device,
                        Stream* stream);
// Moves elements that were read to the requested device. Bytes of bool become 0 or 1.
Ref<Array> placed(Ref<Array> elements, Device device, Stream* stream);

}  // namespace arr::io
