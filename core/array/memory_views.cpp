// SPDX-License-Identifier: MIT
// Views with other element types, strides and windows. Each stays within the memory of its array's owner.
#include "array/memory_views.h"

#include <algorithm>

namespace arr {

int64_t required_alignment(DType dtype, Device device) noexcept {
  return device.type == ARR_HOST ? std::min<int64_t>(item_size(dtype), 8) : item_size(dtype);
}

namespace {

// Throws unless all elements are aligned, and strides are multiples of their size.
void check_aligned(const Layout& l, const char* data, DType dtype, Device device) {
  if (l.size() == 0) return;
  const int64_t alignment = required_alignment(dtype, device);
  if (reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(alignment) != 0) {
    fail(ARR_E_ARGUMENT, "argument a: not aligned to the ", alignment, " bytes that ", name(dtype),
         " needs there; view a copy");
  }
  for (int32_t i = 0; i < l.ndim; ++i) {
    if (l.shape[i] == 1 || l.strides[i] % item_size(dtype) == 0) continue;
    fail(ARR_E_ARGUMENT, "argument a: the stride of axis ", i, ", ", l.strides[i],
         " bytes, is not a number of ", name(dtype), " elements; view a copy");
  }
}

}  // namespace

Ref<Array> view_as(const Array& a, DType dtype) {
  Layout l = a.layout;
  const int64_t old = a.item(), item = item_size(dtype);
  if (old != item) {
    if (l.ndim == 0) {
      fail(ARR_E_SHAPE, "argument dtype: ", name(dtype), " has another size than ", name(a.dtype),
           ", which an array without dimensions cannot take");
    }
    const int32_t last = l.ndim - 1;
    if (l.shape[last] != 1 && l.size() != 0 && l.strides[last] != old) {
      fail(ARR_E_SHAPE, "argument a: the last axis of shape ", l.text(), " has a stride of ", l.strides[last],
           " bytes, expected ", old, " to view ", name(a.dtype), " as ", name(dtype));
    }
    const int64_t bytes = checked::mul(l.shape[last], old, "the last extent in bytes");
    if (bytes % item != 0) {
      fail(ARR_E_SHAPE, "argument a: the last axis has ", bytes, " bytes, which is not a number of ",
           name(dtype), " elements");
    }
    l.shape[last] = bytes / item;
    l.strides[last] = item;
  }
  check_aligned(l, a.data, dtype, a.device());
  return make<Array>(a.buffer, a.data, dtype, l, a.readonly);
}

Ref<Array> view_field(const Array& a, int64_t position, DType dtype) {
  if (a.dtype != DType::uint8_)
    fail(ARR_E_DTYPE, "argument a: ", name(a.dtype), ", expected uint8: the bytes of records");
  Layout l = a.layout;
  if (l.ndim == 0) fail(ARR_E_SHAPE, "argument a: no dimension, expected one for the bytes of a record");
  const int32_t last = --l.ndim;
  const int64_t record = a.layout.shape[last], item = item_size(dtype);
  if (position < 0 || record < item || position > record - item) {
    fail(ARR_E_ARGUMENT, "argument position: ", position, ": ", item, " bytes of ", name(dtype),
         " there are not inside a record of ", record, " bytes");
  }
  if (item > 1 && a.layout.size() != 0 && a.layout.strides[last] != 1) {
    fail(ARR_E_SHAPE, "argument a: the last axis has a stride of ", a.layout.strides[last],
         " bytes, expected 1: the bytes of a record are neighbours");
  }
  char* first = a.data;
  if (l.size() != 0) first += position * a.layout.strides[last];
  check_aligned(l, first, dtype, a.device());
  return make<Array>(a.buffer, first, dtype, l, a.readonly);
}

Layout strided_layout(std::span<const int64_t> shape, std::span<const int64_t> strides, bool has_strides,
                      int64_t item) {
  const Layout layout = Layout::contiguous(shape, item, Order::C);
  if (!has_strides) return layout;
  int64_t bytes[max_ndim];
  for (size_t i = 0; i < shape.size(); ++i) {
    if (checked::mul(strides[i], item, &bytes[i])) continue;
    // With one element or none a stride is not used, and producers set it to any value.
    if (shape[i] > 1 && layout.size() != 0) checked::mul(strides[i], item, "argument strides");
    bytes[i] = layout.strides[i];
  }
  return Layout::strided(shape, {bytes, shape.size()}, item);
}

Ref<Array> as_strided(const Array& a, std::span<const int64_t> shape, std::span<const int64_t> strides,
                      bool has_strides) {
  const Layout l = strided_layout(shape, strides, has_strides, a.item());
  int64_t low = 0, high = 0;
  l.reach(a.item(), &low, &high);
  const int64_t before = a.data - a.buffer->data(), after = a.buffer->bytes() - before;
  if (low < -before || high > after) {
    fail(ARR_E_SHAPE, "argument strides: the view of shape ", l.text(), " reaches from byte ", low, " to ",
         high, " beside element 0, but the memory from ", -before, " to ", after);
  }
  return make<Array>(a.buffer, a.data, a.dtype, l, a.readonly || l.may_self_overlap(a.item()));
}

Ref<Array> sliding_windows(const Array& a, std::span<const int64_t> window, std::span<const int32_t> axes,
                           bool all) {
  Layout l = a.layout;
  const int32_t ndim = l.ndim;
  const auto n = static_cast<int32_t>(std::min<size_t>(window.size(), max_ndim + 1));
  if (all && n != ndim)
    fail(ARR_E_SHAPE, "argument n: ", window.size(), " extents of an array with ", ndim, " dimensions");
  if (ndim + n > max_ndim)
    fail(ARR_E_SHAPE, "argument n: the result has ", ndim + n, " dimensions, at most ", max_ndim,
         " are supported");
  for (int32_t k = 0; k < n; ++k) {
    const auto at = static_cast<size_t>(k);
    const int32_t d = all ? k : normalize_axis(ndim, axes[at], "axes");
    if (window[at] < 0) fail(ARR_E_ARGUMENT, "argument window: ", window[at], ", expected 0 or more");
    // An empty window has one position more than the axis has elements.
    if (window[at] > l.shape[d] + (window[at] == 0 ? 1 : 0))
      fail(ARR_E_SHAPE, "argument window: ", window[at], " along axis ", d, ", of which ", l.shape[d],
           " elements are left");
    l.shape[d] = l.shape[d] - window[at] + 1;
    l.shape[l.ndim] = window[at];
    l.strides[l.ndim++] = l.strides[d];
  }
  return make<Array>(a.buffer, a.data, a.dtype, l, true);
}

Layout merged(const Layout& in, int64_t item) {
  Layout out;
  if (in.size() == 0) {
    out.ndim = 1;
    out.shape[0] = 0;
    out.strides[0] = item;
    return out;
  }
  for (int32_t i = 0; i < in.ndim; ++i) {
    if (in.shape[i] == 1) continue;
    const int32_t last = out.ndim - 1;
    int64_t step = 0;
    if (last >= 0 && checked::mul(in.strides[i], in.shape[i], &step) && out.strides[last] == step) {
      out.shape[last] *= in.shape[i];
      out.strides[last] = in.strides[i];
    } else {
      out.shape[out.ndim] = in.shape[i];
      out.strides[out.ndim++] = in.strides[i];
    }
  }
  return out;
}

Ref<Array> whole_memory(const Array& a) {
  const int64_t bytes = a.buffer->bytes();
  return make<Array>(a.buffer, a.buffer->data(), DType::uint8_, Layout::contiguous({&bytes, 1}, 1, Order::C),
                     a.readonly);
}

}  // namespace arr
