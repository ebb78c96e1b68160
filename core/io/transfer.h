// SPDX-License-Identifier: MIT
// Elements between files, which the host reads and writes, and arrays on any device.
#pragma once

#include "array/array.h"
#include "runtime/streams.h"

namespace arr::io {

// The elements in that order in the host's memory, ready to be read: a itself if it is so.
Ref<Array> host_elements(const Array& a, Order order, Stream* stream);
// A new array of the host, in the stream if that is where it stays.
Ref<Array> new_elements(DType dtype, std::span<const int64_t> shape, Order order, Device device,
                        Stream* stream);
// Elements that have been read, on the device where they are wanted. bool's bytes become 0 or 1.
Ref<Array> placed(Ref<Array> elements, Device device, Stream* stream);

}  // namespace arr::io
