// SPDX-License-Identifier: MIT
// Views: new layouts over the same elements.
#include <algorithm>
#include <limits>

#include "array/index_check.h"
#include "array/layout.h"

namespace arr {

int32_t normalize_axis(int32_t ndim, int32_t axis, const char* argument) {
  if (axis < -ndim || axis >= ndim) {
    fail(ARR_E_SHAPE, "argument ", argument, ": axis ", axis, " of an array with ", ndim, " dimensions");
  }
  return axis < 0 ? axis + ndim : axis;
}

uint32_t axis_mask(int32_t ndim, int32_t naxes, const int32_t* axes) {
  if (axes == nullptr) return ndim == 0 ? 0 : ~0U >> (max_ndim - ndim);
  if (naxes < 0) fail(ARR_E_ARGUMENT, "argument naxes: ", naxes, " is negative");
  uint32_t mask = 0;
  for (int32_t i = 0; i < naxes; ++i) {
    uint32_t bit = 1U << normalize_axis(ndim, axes[i], "axes");
    if ((mask & bit) != 0) fail(ARR_E_SHAPE, "argument axes: axis ", axes[i], " is named twice");
    mask |= bit;
  }
  return mask;
}

void broadcast_shapes(const Layout& a, const Layout& b, const char* argument, Layout* out) {
  int32_t n = std::max(a.ndim, b.ndim);
  Layout r;
  r.ndim = n;
  for (int32_t i = 0; i < n; ++i) {
    int32_t ia = i - (n - a.ndim), ib = i - (n - b.ndim);
    int64_t ea = ia < 0 ? 1 : a.shape[ia], eb = ib < 0 ? 1 : b.shape[ib];
    if (ea != eb && ea != 1 && eb != 1) {
      fail(ARR_E_SHAPE, "argument ", argument, ": shape ", b.text(), " does not broadcast with ", a.text());
    }
    r.shape[i] = ea == 1 ? eb : ea;
    r.strides[i] = 0;
  }
  *out = r;
}

bool broadcasts_to(const Layout& in, const Layout& shape) noexcept {
  const int32_t lead = shape.ndim - in.ndim;
  bool fits = lead >= 0;
  for (int32_t i = 0; fits && i < in.ndim; ++i) {
    fits = in.shape[i] == 1 || in.shape[i] == shape.shape[i + lead];
  }
  return fits;
}

Layout broadcast_to(const Layout& in, std::span<const int64_t> shape) {
  Layout out = Layout::contiguous(shape, 1, Order::C);  // checks the shape
  if (!broadcasts_to(in, out)) {
    fail(ARR_E_SHAPE, "argument shape: ", in.text(), " does not broadcast to ", out.text());
  }
  const int32_t lead = out.ndim - in.ndim;
  for (int32_t i = 0; i < out.ndim; ++i) {
    out.strides[i] = i < lead || in.shape[i - lead] == 1 ? 0 : in.strides[i - lead];
  }
  return out;
}

Layout transpose(const Layout& in, std::span<const int32_t> axes) {
  Layout out;
  out.ndim = in.ndim;
  if (!axes.empty() && axes.size() != static_cast<size_t>(in.ndim)) {
    fail(ARR_E_SHAPE, "argument axes: ", axes.size(), " axes for an array with ", in.ndim, " dimensions");
  }
  if (!axes.empty()) axis_mask(in.ndim, in.ndim, axes.data());
  for (int32_t i = 0; i < in.ndim; ++i) {
    int32_t from = axes.empty() ? in.ndim - 1 - i : normalize_axis(in.ndim, axes[static_cast<size_t>(i)]);
    out.shape[i] = in.shape[from];
    out.strides[i] = in.strides[from];
  }
  return out;
}

Layout expand_dims(const Layout& in, std::span<const int32_t> axes, int64_t item) {
  auto n = static_cast<int64_t>(in.ndim) + static_cast<int64_t>(axes.size());
  if (n > max_ndim) fail(ARR_E_SHAPE, "argument axes: the result has ", n, " dimensions, at most ", max_ndim);
  uint32_t mask =
      axes.empty() ? 0 : axis_mask(static_cast<int32_t>(n), static_cast<int32_t>(axes.size()), axes.data());
  Layout out;
  out.ndim = static_cast<int32_t>(n);
  for (int32_t i = 0, from = 0; i < out.ndim; ++i) {
    bool fresh = (mask >> i & 1U) != 0;
    out.shape[i] = fresh ? 1 : in.shape[from];
    // The stride of a contiguous array, so that contiguity is kept.
    out.strides[i] = !fresh           ? in.strides[from]
                     : from < in.ndim ? in.strides[from] * std::max<int64_t>(in.shape[from], 1)
                                      : item;
    from += fresh ? 0 : 1;
  }
  return out;
}

Layout squeeze(const Layout& in, std::span<const int32_t> axes, bool all) {
  uint32_t mask =
      all || axes.empty() ? 0 : axis_mask(in.ndim, static_cast<int32_t>(axes.size()), axes.data());
  Layout out;
  for (int32_t i = 0; i < in.ndim; ++i) {
    bool drop = all ? in.shape[i] == 1 : (mask >> i & 1U) != 0;
    if (drop && in.shape[i] != 1) {
      fail(ARR_E_SHAPE, "argument axes: axis ", i, " of shape ", in.text(), " is not of extent 1");
    }
    if (drop) continue;
    out.shape[out.ndim] = in.shape[i];
    out.strides[out.ndim++] = in.strides[i];
  }
  return out;
}

Layout flip(const Layout& in, std::span<const int32_t> axes, bool all, int64_t* byte_offset) {
  uint32_t mask = all            ? axis_mask(in.ndim, 0, nullptr)
                  : axes.empty() ? 0
                                 : axis_mask(in.ndim, static_cast<int32_t>(axes.size()), axes.data());
  Layout out = in;
  *byte_offset = 0;
  for (int32_t i = 0; i < in.ndim; ++i) {
    if ((mask >> i & 1U) == 0 || in.shape[i] == 0) continue;
    *byte_offset += (in.shape[i] - 1) * in.strides[i];
    out.strides[i] = -in.strides[i];
  }
  if (in.size() == 0) *byte_offset = 0;
  return out;
}

Layout slice(const Layout& in, std::span<const int64_t> start, std::span<const int64_t> stop,
             std::span<const int64_t> step, int64_t* byte_offset) {
  constexpr int64_t open_low = std::numeric_limits<int64_t>::min();
  constexpr int64_t open_high = std::numeric_limits<int64_t>::max();
  if (start.size() > static_cast<size_t>(in.ndim)) {
    fail(ARR_E_SHAPE, "argument n: ", start.size(), " slices of an array with ", in.ndim, " dimensions");
  }
  Layout out = in;
  int64_t offset = 0;
  for (int32_t i = 0; i < static_cast<int32_t>(start.size()); ++i) {
    auto k = static_cast<size_t>(i);
    int64_t extent = in.shape[i], by = step.empty() ? 1 : step[k];
    if (by == 0) fail(ARR_E_ARGUMENT, "argument step: 0 at axis ", i);
    // Python's rules: clamp to [0, extent] for positive steps and to [-1, extent - 1] for negative ones.
    int64_t low = by > 0 ? 0 : -1, high = by > 0 ? extent : extent - 1;
    auto clamp = [&](int64_t at, int64_t open) {
      if (at == open_low || at == open_high) return open;
      return std::clamp(at < 0 ? at + extent : at, low, high);
    };
    int64_t first = clamp(start[k], by > 0 ? low : high), last = clamp(stop[k], by > 0 ? high : low);
    // Unsigned, because -INT64_MIN does not fit in int64.
    uint64_t width = by > 0 ? static_cast<uint64_t>(by) : 0ULL - static_cast<uint64_t>(by);
    int64_t gap = by > 0 ? last - first : first - last;
    int64_t count = gap <= 0 ? 0 : static_cast<int64_t>((static_cast<uint64_t>(gap) - 1) / width) + 1;
    out.shape[i] = count;
    // With at most one element the stride is not used, and its product may overflow.
    out.strides[i] = count > 1 ? in.strides[i] * by : in.strides[i];
    if (count > 0) offset += first * in.strides[i];
  }
  *byte_offset = out.size() == 0 ? 0 : offset;
  return out;
}

Layout index_axis(const Layout& in, int32_t axis, int64_t index, int64_t* byte_offset) {
  axis = normalize_axis(in.ndim, axis);
  const int64_t at = index_in(index, in.shape[axis], axis, "index");
  *byte_offset = in.size() == 0 ? 0 : at * in.strides[axis];
  Layout out;
  for (int32_t i = 0; i < in.ndim; ++i) {
    if (i == axis) continue;
    out.shape[out.ndim] = in.shape[i];
    out.strides[out.ndim++] = in.strides[i];
  }
  return out;
}

Layout reshape_shape(const Layout& in, std::span<const int64_t> shape) {
  if (shape.size() > static_cast<size_t>(max_ndim)) {
    fail(ARR_E_SHAPE, "argument ndim: ", shape.size(), " dimensions, at most ", max_ndim, " are supported");
  }
  Layout out;
  out.ndim = static_cast<int32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), out.shape);
  int32_t unknown = -1;
  int64_t known = 1;
  bool fits = true;
  for (int32_t i = 0; i < out.ndim; ++i) {
    if (out.shape[i] == -1 && unknown < 0) {
      unknown = i;
    } else {
      fits = fits && out.shape[i] >= 0 && checked::mul(known, out.shape[i], &known);
    }
  }
  int64_t size = in.size();
  if (fits && unknown >= 0) {
    fits = known != 0 && size % known == 0;
    out.shape[unknown] = fits ? size / known : 0;
    known = fits ? size : known;
  }
  if (!fits || known != size) {
    fail(ARR_E_SHAPE, "argument shape: ", in.text(), " does not reshape to ",
         shape_text(static_cast<int64_t>(shape.size()), shape.data()));
  }
  return out;
}

bool reshape_view(const Layout& in, std::span<const int64_t> shape, Order order, Layout* out) {
  // Uses row-major terms; Fortran order is the same with all axes reversed.
  bool reverse = order == Order::F;
  Layout r;
  r.ndim = static_cast<int32_t>(shape.size());
  int64_t es[max_ndim], st[max_ndim];
  int32_t n = 0;
  for (int32_t i = 0; i < in.ndim; ++i) {
    int32_t axis = reverse ? in.ndim - 1 - i : i;
    if (in.shape[axis] == 1) continue;
    es[n] = in.shape[axis];
    st[n++] = in.strides[axis];
  }
  auto target = [&](int32_t i) -> size_t { return static_cast<size_t>(reverse ? r.ndim - 1 - i : i); };
  // Matches runs of old and new axes with equal products; a run of old axes must be evenly spaced.
  int32_t oi = 0, ni = 0;
  while (ni < r.ndim) {
    int64_t want = shape[target(ni)];
    int32_t nstart = ni++;
    if (oi == n) {  // only extents of 1 remain
      r.strides[target(nstart)] = 0;
      if (want != 1) return false;
      continue;
    }
    int64_t have = es[oi];
    int32_t ostart = oi++;
    while (have != want) {
      if (want < have) {
        if (ni == r.ndim) return false;
        want *= shape[target(ni++)];
      } else {
        if (oi == n) return false;
        have *= es[oi++];
      }
    }
    for (int32_t k = ostart; k + 1 < oi; ++k) {
      if (st[k] != st[k + 1] * es[k + 1]) return false;
    }
    int64_t step = st[oi - 1];
    for (int32_t k = ni; k-- > nstart;) {
      r.strides[target(k)] = step;
      step *= shape[target(k)];
    }
  }
  std::copy(shape.begin(), shape.end(), r.shape);
  *out = r;
  return oi == n;
}

}  // namespace arr
