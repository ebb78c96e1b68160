// SPDX-License-Identifier: MIT
// Construction and properties of layouts.
#include "array/layout.h"

#include <algorithm>
#include <numeric>

namespace arr {

Order order_from(int32_t number, const char* argument) {
  if (number < ARR_ORDER_C || number > ARR_ORDER_K) {
    fail(ARR_E_ARGUMENT, "argument ", argument, ": ", number, " is not one of ARR_ORDER_C, _F, _K");
  }
  return static_cast<Order>(number);
}

namespace {

void check_shape(std::span<const int64_t> shape, int64_t item) {
  if (shape.size() > static_cast<size_t>(max_ndim)) {
    fail(ARR_E_SHAPE, "argument ndim: ", shape.size(), " dimensions, at most ", max_ndim, " are supported");
  }
  bool empty = false;
  for (int64_t extent : shape) {
    if (extent < 0) {
      fail(ARR_E_SHAPE, "argument shape: ", shape_text(static_cast<int64_t>(shape.size()), shape.data()),
           " has a negative extent");
    }
    empty = empty || extent == 0;
  }
  // For an empty array too, the product of the other extents must fit in a stride.
  int64_t bytes = item;
  for (int64_t extent : shape) {
    if (!checked::mul(bytes, std::max<int64_t>(extent, 1), &bytes)) {
      fail(ARR_E_SHAPE, "argument shape: ", shape_text(static_cast<int64_t>(shape.size()), shape.data()),
           " takes more than 2^63 bytes");
    }
  }
}

}  // namespace

Layout layout_permuted(std::span<const int64_t> shape, const int32_t* order, int64_t item) {
  check_shape(shape, item);
  Layout out;
  out.ndim = static_cast<int32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), out.shape);
  int64_t step = item;
  for (int32_t i = out.ndim; i-- > 0;) {
    int32_t axis = order[i];
    out.strides[axis] = step;
    step *= std::max<int64_t>(shape[static_cast<size_t>(axis)], 1);
  }
  return out;
}

Layout Layout::contiguous(std::span<const int64_t> shape, int64_t item, Order order) {
  int32_t axes[max_ndim];
  auto n = static_cast<int32_t>(std::min(shape.size(), static_cast<size_t>(max_ndim)));
  for (int32_t i = 0; i < n; ++i) axes[i] = order == Order::F ? n - 1 - i : i;
  return layout_permuted(shape, axes, item);
}

Layout Layout::strided(std::span<const int64_t> shape, std::span<const int64_t> byte_strides, int64_t item) {
  check_shape(shape, item);
  Layout out;
  out.ndim = static_cast<int32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), out.shape);
  std::copy(byte_strides.begin(), byte_strides.end(), out.strides);
  int64_t low = 0, high = 0;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return contiguous(shape, item, Order::C);
  for (int32_t i = 0; i < out.ndim; ++i) {
    int64_t span = 0;
    if (out.shape[i] == 1) {
      constexpr int64_t limit = int64_t{1} << 62;
      if (out.strides[i] < -limit || out.strides[i] > limit) out.strides[i] = item;
      continue;
    }
    bool ok = checked::mul(out.shape[i] - 1, out.strides[i], &span) &&
              (span < 0 ? checked::add(low, span, &low) : checked::add(high, span, &high));
    if (!ok) {
      fail(ARR_E_SHAPE, "argument strides: axis ", i, " of extent ", out.shape[i], " and stride ",
           out.strides[i], " bytes reaches beyond 2^63 bytes");
    }
  }
  int64_t total = 0;
  if (!checked::sub(high, low, &total) || !checked::add(total, item, &total)) {
    fail(ARR_E_SHAPE, "argument strides: together they reach beyond 2^63 bytes");
  }
  return out;
}

bool Layout::is_contiguous(int64_t item, Order order) const noexcept {
  int64_t step = item;
  bool regular = true;
  for (int32_t i = 0; i < ndim; ++i) {
    int32_t axis = order == Order::F ? i : ndim - 1 - i;
    if (shape[axis] == 0) return true;
    regular = regular && (shape[axis] == 1 || strides[axis] == step);
    if (regular) step *= shape[axis];  // the extents of a broadcast may not fit
  }
  return regular;
}

void Layout::reach(int64_t item, int64_t* low, int64_t* high) const noexcept {
  *low = *high = 0;
  if (size() == 0) return;
  for (int32_t i = 0; i < ndim; ++i) {
    if (shape[i] == 1) continue;
    int64_t span = (shape[i] - 1) * strides[i];
    (span < 0 ? *low : *high) += span;
  }
  *high += item;
}

void Layout::axis_order(int32_t* axes) const noexcept {
  std::iota(axes, axes + ndim, 0);
  // Insertion sort: stable, and takes one pass if the axes are in order already.
  for (int32_t i = 1; i < ndim; ++i) {
    // A stride of 0 does not decide, and must not hide the axes before it.
    int64_t own = std::abs(strides[i]);
    int32_t slot = i;
    for (int32_t k = i; k-- > 0 && own != 0;) {
      int64_t other = std::abs(strides[axes[k]]);
      if (other >= own) break;
      if (other != 0) slot = k;
    }
    std::copy_backward(axes + slot, axes + i, axes + i + 1);
    axes[slot] = i;
  }
}

Layout layout_like(const Layout& like, int64_t item, Order order) {
  if (order != Order::K) return Layout::contiguous(like.dims(), item, order);
  int32_t axes[max_ndim];
  like.axis_order(axes);
  return layout_permuted(like.dims(), axes, item);
}

void collapse(int32_t ndim, const int64_t* shape, int32_t operands, const int64_t* const* strides,
              int32_t nlast, Iteration* out, int32_t* split_out) {
  int32_t axes[max_ndim];
  int32_t n = 0, split = 0;
  for (int32_t i = 0; i < ndim; ++i) {
    if (i == ndim - nlast) split = n;
    if (shape[i] != 1) axes[n++] = i;
  }
  if (nlast == 0) split = n;
  // Operand k decides between two axes if the operands before it do not (stride 0).
  auto slower = [&](int32_t a, int32_t b) {
    for (int32_t k = 0; k < operands; ++k) {
      int64_t sa = std::abs(strides[k][a]), sb = std::abs(strides[k][b]);
      if (sa != sb && sa != 0 && sb != 0) return sa > sb;
    }
    return false;
  };
  auto sort = [&](int32_t from, int32_t to) {
    for (int32_t i = from + 1; i < to; ++i) {
      int32_t axis = axes[i], k = i;
      for (; k > from && slower(axis, axes[k - 1]); --k) axes[k] = axes[k - 1];
      axes[k] = axis;
    }
  };
  sort(0, split);
  sort(split, n);
  out->ndim = 0;
  out->operands = operands;
  int32_t merged_split = 0;
  for (int32_t i = 0; i < n; ++i) {
    int32_t axis = axes[i], last = out->ndim - 1;
    bool merge = last >= 0 && i != split;
    for (int32_t k = 0; merge && k < operands; ++k) {
      merge = out->strides[k][last] == strides[k][axis] * shape[axis];
    }
    if (merge) {
      out->shape[last] *= shape[axis];
    } else {
      last = out->ndim++;
      out->shape[last] = shape[axis];
    }
    for (int32_t k = 0; k < operands; ++k) out->strides[k][last] = strides[k][axis];
    if (i < split) merged_split = out->ndim;
  }
  if (split_out != nullptr) *split_out = merged_split;
}

}  // namespace arr
