// SPDX-License-Identifier: MIT
// Other views of an array's memory: element types, strides, windows, overlap.
#pragma once

#include "array/array.h"

namespace arr {

// Alignment of an element. On the host a complex number needs only that of its parts; a GPU loads it as a
// whole.
int64_t required_alignment(DType dtype, Device device) noexcept;

// NumPy's view(dtype).
Ref<Array> view_as(const Array& a, DType dtype);
// A view of the element at byte `position` of each row of bytes.
Ref<Array> view_field(const Array& a, int64_t position, DType dtype);
// strides: in elements, or empty for row-major.
Layout strided_layout(std::span<const int64_t> shape, std::span<const int64_t> strides, bool has_strides,
                      int64_t item);
Ref<Array> as_strided(const Array& a, std::span<const int64_t> shape, std::span<const int64_t> strides,
                      bool has_strides);
// all: the axes are those of the array, in order.
Ref<Array> sliding_windows(const Array& a, std::span<const int64_t> window, std::span<const int32_t> axes,
                           bool all);
// Without axes of extent 1, and with evenly spaced adjacent axes merged.
Layout merged(const Layout& in, int64_t item);
// The whole buffer as bytes.
Ref<Array> whole_memory(const Array& a);

// Exact, unless it would need more than max_work candidates (-1: no limit).
Overlap find_overlap(const Array& a, const Array& b, int64_t max_work);
// The same within the work that a write can afford; true if that does not decide it.
bool share_memory(const Array& a, const Array& b);

}  // namespace arr
