// SPDX-License-Identifier: MIT
// Makes distributed arrays, and fills their halos.
#include "ops/dist/dist.h"

#include <algorithm>

#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

Ref<Array> without_halo(const Array& memory, std::span<const int64_t> halo) {
  Ref<Array> v = memory.share();
  for (size_t i = 0; i < halo.size(); ++i) {
    const auto axis = static_cast<int32_t>(i);
    if (halo[i] > 0) v = slice_axis(*v, axis, halo[i], v->layout.shape[i] - halo[i]);
  }
  return v;
}

// The indices in a range, counted from its beginning.
IndexRanges clipped(const IndexRanges& s, int64_t from, int64_t to) {
  IndexRanges out;
  for (const IndexRange& one : s) {
    const int64_t low = std::max(one.from, from), high = std::min(one.to, to);
    if (low < high) out.push_back({low - from, high - from});
  }
  return out;
}

// A neighbour must have as many layers as a halo gets. All ranks come to the same result.
void check_halo(const Decomposition& by, std::span<const int64_t> halo) {
  if (halo.size() != by.shape.size()) {
    fail(ARR_E_ARGUMENT, "argument nhalo: ", halo.size(), ", expected 0 or ", by.shape.size());
  }
  for (size_t i = 0; i < halo.size(); ++i) {
    if (halo[i] < 0) fail(ARR_E_ARGUMENT, "argument halo[", i, "]: ", halo[i], " is negative");
    if (halo[i] == 0) continue;
    const Division& d = by.axes[i];
    if (!d.contiguous()) {
      fail(ARR_E_ARGUMENT, "argument halo[", i, "]: ", halo[i],
           " layers of an axis that is not divided into ", "contiguous parts");
    }
    for (size_t k = 0; k < d.parts->size(); ++k) {
      const int64_t n = count_of((*d.parts)[k]);
      if (n >= halo[i]) continue;
      fail(ARR_E_SHAPE, "argument halo[", i, "]: ", halo[i], " layers, part ", k, " of axis ", i, " has ", n,
           " indices, expected as many at least");
    }
  }
}

}  // namespace

Dist::Dist(Ref<Decomposition> by, Ref<Array> all, std::vector<int64_t> layers)
    : decomposition(std::move(by)),
      memory(std::move(all)),
      halo(std::move(layers)),
      part(without_halo(*memory, halo)) {}

Ref<Array> Dist::shifted(std::span<const int64_t> offsets) const {
  if (static_cast<int32_t>(offsets.size()) != ndim()) {
    fail(ARR_E_ARGUMENT, "argument noffsets: ", offsets.size(), ", expected ", ndim());
  }
  Ref<Array> v = memory->share();
  for (int32_t i = 0; i < ndim(); ++i) {
    const auto k = static_cast<size_t>(i);
    const int64_t width = halo.empty() ? 0 : halo[k];
    if (offsets[k] < -width || offsets[k] > width) {
      fail(ARR_E_ARGUMENT, "argument offsets[", k, "]: ", offsets[k], ", expected ", -width, " to ", width,
           ", the width of the halo");
    }
    const int64_t from = width + offsets[k];
    if (width > 0) v = slice_axis(*v, i, from, from + part->layout.shape[k]);
  }
  return v;
}

Ref<Dist> dist_zeros(Decomposition& by, DType d, std::span<const int64_t> halo, Stream* stream) {
  if (!halo.empty()) check_halo(by, halo);
  std::vector<int64_t> shape = by.part_shape();
  for (size_t i = 0; i < halo.size(); ++i)
    shape[i] = checked::add(shape[i], checked::mul(2, halo[i], "argument halo"), "argument halo");
  Ref<Array> memory = full(d, shape, Order::C, convert(scalar_of(0.0), d), by.device(), stream);
  return make<Dist>(Ref<Decomposition>::share(&by), std::move(memory),
                    std::vector<int64_t>(halo.begin(), halo.end()));
}

Ref<Dist> dist_empty(Decomposition& by, DType d, Stream* stream) {
  return make<Dist>(Ref<Decomposition>::share(&by), empty(d, by.part_shape(), Order::C, by.device(), stream),
                    std::vector<int64_t>());
}

Ref<Dist> dist_of_part(Decomposition& by, const Array& part) {
  const std::vector<int64_t> shape = by.part_shape();
  if (!std::ranges::equal(shape, part.layout.dims())) {
    fail(ARR_E_SHAPE, "argument part: shape ", part.layout.text(), ", expected ",
         shape_text(by.ndim(), shape.data()), ", that of this rank's part");
  }
  if (part.device() != by.device()) {
    fail(ARR_E_ARGUMENT, "argument part: is on ", device_text(part.device()), ", the communicator on ",
         device_text(by.device()));
  }
  return make<Dist>(Ref<Decomposition>::share(&by), part.share(), std::vector<int64_t>());
}

Ref<Dist> dist_transpose(const Dist& a, std::span<const int32_t> axes) {
  const Layout l = transpose(a.memory->layout, axes);
  std::vector<int64_t> shape, halo;
  std::vector<Division> divisions;
  for (int32_t i = 0; i < a.ndim(); ++i) {
    const int32_t from =
        axes.empty() ? a.ndim() - 1 - i : normalize_axis(a.ndim(), axes[static_cast<size_t>(i)], "axes");
    const auto k = static_cast<size_t>(from);
    shape.push_back(a.decomposition->shape[k]);
    divisions.push_back(a.decomposition->axes[k]);
    if (!a.halo.empty()) halo.push_back(a.halo[k]);
  }
  return make<Dist>(with_axes(*a.decomposition, std::move(shape), std::move(divisions)), a.memory->view(l),
                    std::move(halo));
}

Ref<Dist> dist_slice(const Dist& a, int32_t axis, int64_t from, int64_t to) {
  const int32_t k = normalize_axis(a.ndim(), axis);
  const Decomposition& by = *a.decomposition;
  std::vector<int64_t> shape = by.shape;
  std::vector<Division> axes = by.axes;
  const int64_t n = shape[static_cast<size_t>(k)];
  if (from < 0 || from > to || to > n) {
    fail(ARR_E_ARGUMENT, "argument from: indices ", from, " to ", to,
         ", expected an ascending range within 0 to ", n);
  }
  shape[static_cast<size_t>(k)] = to - from;
  std::vector<IndexRanges> parts;
  for (const IndexRanges& s : *by.axes[static_cast<size_t>(k)].parts) parts.push_back(clipped(s, from, to));
  axes[static_cast<size_t>(k)].parts = std::make_shared<const std::vector<IndexRanges>>(std::move(parts));
  const IndexRanges& own = by.segments(k, by.grid->rank());
  const int64_t before = count_of(clipped(own, 0, from));
  const int64_t count = count_of(clipped(own, from, to));
  return make<Dist>(with_axes(by, std::move(shape), std::move(axes)),
                    slice_axis(*a.part, k, before, before + count), std::vector<int64_t>());
}

void start_exchange(const Dist& a, std::span<const int32_t> periodic, Stream* stream) {
  const Decomposition& by = *a.decomposition;
  if (!periodic.empty() && static_cast<int32_t>(periodic.size()) != a.ndim()) {
    fail(ARR_E_ARGUMENT, "argument nperiodic: ", periodic.size(), ", expected 0 or ", a.ndim());
  }
  check_writable(*a.memory);
  std::vector<int32_t> axes;
  std::vector<int64_t> widths;
  for (int32_t i = 0; i < static_cast<int32_t>(a.halo.size()); ++i) {
    if (a.halo[static_cast<size_t>(i)] == 0) continue;
    axes.push_back(i);
    widths.push_back(a.halo[static_cast<size_t>(i)]);
  }
  const auto neighbour = [&](const HaloDirection& d, int32_t sign) {
    int32_t rank = by.grid->rank();
    for (size_t i = 0; i < d.size(); ++i) {
      const auto axis = static_cast<size_t>(axes[i]);
      const Division& division = by.axes[axis];
      const auto n = static_cast<int32_t>(division.parts->size());
      int32_t at = (division.grid_axis < 0 ? 0 : by.grid->coordinate(rank, division.grid_axis)) + sign * d[i];
      if (at < 0 || at >= n) {
        if (periodic.empty() || periodic[axis] == 0) return -1;
        at = (at + n) % n;
      }
      if (division.grid_axis >= 0) rank = by.grid->with_coordinate(rank, division.grid_axis, at);
    }
    return rank;
  };
  Comm& comm = by.comm();
  std::vector<CommCall> calls = halo_calls(comm.place(), *a.memory, {axes, widths}, neighbour, stream);
  comm.group_begin();
  if (!calls.empty()) comm.run(std::move(calls));
  comm.group_start();
}

void finish_exchange(const Dist& a) { a.decomposition->comm().group_end(); }

void check_same_comm(const Dist& a, const Dist& b, const char* argument) {
  if (&a.decomposition->comm() == &b.decomposition->comm()) return;
  fail(ARR_E_ARGUMENT, "argument ", argument, ": is on another communicator");
}

}  // namespace arr
