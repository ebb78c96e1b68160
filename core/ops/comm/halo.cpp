// SPDX-License-Identifier: MIT
// The messages that fill a halo.
#include <algorithm>

#include "ops/comm/calls.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

constexpr size_t max_halo_axes = 8;  // the number of neighbours is 3 to this power

void check_halo(const CommPlace& at, const Array& a, const Halo& h) {
  if (h.axes.size() > max_halo_axes) {
    fail(ARR_E_ARGUMENT, "argument naxes: ", h.axes.size(), ", expected ", max_halo_axes, " at most");
  }
  int64_t ranks = 1;
  uint32_t seen = 0;
  for (size_t i = 0; i < h.axes.size(); ++i) {
    const int32_t axis = normalize_axis(a.layout.ndim, h.axes[i], "axes");
    if ((seen >> static_cast<uint32_t>(axis) & 1U) != 0)
      fail(ARR_E_ARGUMENT, "argument axes: ", axis, " occurs twice");
    seen |= 1U << static_cast<uint32_t>(axis);
    if (h.grid[i] < 1)
      fail(ARR_E_ARGUMENT, "argument grid[", i, "]: ", h.grid[i], ", expected 1 or more ranks");
    ranks = checked::mul(ranks, h.grid[i], "argument grid");
    const int64_t extent = a.layout.shape[axis], width = h.widths[i];
    if (width < 0) fail(ARR_E_ARGUMENT, "argument widths[", i, "]: ", width, " is negative");
    if (width > extent / 3) {
      fail(ARR_E_SHAPE, "argument widths[", i, "]: ", width, " layers of an axis of ", extent,
           ", expected a third of it at most");
    }
  }
  if (ranks == at.size) return;
  fail(ARR_E_ARGUMENT, "argument grid: ", ranks, " ranks, the communicator has ", at.size);
}

int32_t in_grid(int32_t rank, const Halo& h, const HaloDirection& d, int32_t sign) {
  int32_t result = 0, scale = 1;
  for (size_t i = h.grid.size(); i-- > 0;) {
    const int32_t n = h.grid[i];
    int32_t x = rank % n + sign * d[i];
    rank /= n;
    if (x < 0 || x >= n) {
      if (h.periodic.empty() || h.periodic[i] == 0) return -1;
      x = (x + n) % n;
    }
    result += scale * x;
    scale *= n;
  }
  return result;
}

// The layers on the side of a direction: those of the halo, or those next to it.
Ref<Array> layers(const Array& a, const HaloWidths& h, const HaloDirection& d, int32_t sign, bool outer) {
  Ref<Array> v = a.view(a.layout);
  for (size_t i = 0; i < h.axes.size(); ++i) {
    const int32_t axis = normalize_axis(a.layout.ndim, h.axes[i], "axes");
    const int64_t n = a.layout.shape[axis], w = h.widths[i], side = sign * d[i];
    const int64_t low = outer ? 0 : w;
    const int64_t from = side < 0 ? low : side > 0 ? n - low - w : w, count = side == 0 ? n - 2 * w : w;
    v = slice_axis(*v, axis, from, from + count);
  }
  return v;
}

// The next direction in the order of numbers to base 3; false after the last one.
bool advance(HaloDirection* d) {
  for (size_t i = d->size(); i-- > 0;) {
    if (++(*d)[i] <= 1) return true;
    (*d)[i] = -1;
  }
  return false;
}

}  // namespace

std::vector<CommCall> halo_calls(const CommPlace& at, const Array& a, const HaloWidths& halo,
                                 const HaloNeighbour& neighbour, Stream* stream) {
  std::vector<CommCall> calls;
  HaloDirection d(halo.axes.size(), -1);
  do {
    if (std::all_of(d.begin(), d.end(), [](int32_t x) { return x == 0; })) continue;
    const int32_t to = neighbour(d, 1), from = neighbour(d, -1);
    if (from >= 0) calls.push_back(recv_call(at, *layers(a, halo, d, -1, true), from, stream));
    if (to >= 0) calls.push_back(send_call(at, *layers(a, halo, d, 1, false), to, stream));
  } while (advance(&d));
  return calls;
}

std::vector<CommCall> halo_calls(const CommPlace& at, const Array& a, const Halo& halo, Stream* stream) {
  check_halo(at, a, halo);
  check_writable(a);
  const auto neighbour = [&](const HaloDirection& d, int32_t sign) {
    return in_grid(at.rank, halo, d, sign);
  };
  return halo_calls(at, a, {halo.axes, halo.widths}, neighbour, stream);
}

}  // namespace arr
