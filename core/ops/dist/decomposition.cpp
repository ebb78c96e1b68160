// SPDX-License-Identifier: MIT
// Divides axes among ranks.
#include "ops/dist/decomposition.h"

#include <algorithm>
#include <numeric>

namespace arr {

namespace {

// Appends indices that follow those of s.
void append(IndexRanges* s, int64_t from, int64_t to) {
  if (from == to) return;
  if (!s->empty() && s->back().to == from) {
    s->back().to = to;
  } else {
    s->push_back({from, to});
  }
}

Division division(int32_t grid_axis, std::vector<IndexRanges> parts) {
  return {grid_axis, std::make_shared<const std::vector<IndexRanges>>(std::move(parts))};
}

void check_shape(std::span<const int64_t> shape) {
  Layout::contiguous(shape, 1, Order::C);  // throws
}

// The number of ranks that divide each axis: all ranks the first one if nothing is given.
std::vector<int32_t> checked_grid(int32_t size, size_t ndim, std::span<const int32_t> grid) {
  std::vector<int32_t> out(grid.begin(), grid.end());
  if (grid.empty()) {
    out.assign(ndim, 1);
    if (ndim > 0) out[0] = size;
  }
  if (out.size() != ndim) fail(ARR_E_ARGUMENT, "argument ngrid: ", grid.size(), ", expected 0 or ", ndim);
  int64_t parts = 1;
  for (size_t i = 0; i < ndim; ++i) {
    if (out[i] < 1) fail(ARR_E_ARGUMENT, "argument grid[", i, "]: ", out[i], ", expected 1 or more ranks");
    parts = checked::mul(parts, out[i], "argument grid");
  }
  if (size % parts != 0) {
    fail(ARR_E_ARGUMENT, "argument grid: ", parts, " ranks, expected a divisor of the number of ranks, ",
         size);
  }
  return out;
}

constexpr int64_t max_blocks = int64_t{1} << 24;  // of an axis, whose segments are listed

int64_t checked_block(int64_t block, int64_t extent, size_t axis) {
  if (block < 0) fail(ARR_E_ARGUMENT, "argument blocks[", axis, "]: ", block, " is negative");
  if (block == 0 || extent / block < max_blocks) return block;
  fail(ARR_E_ARGUMENT, "argument blocks[", axis, "]: ", block, " divides an axis of ", extent,
       " into more than ", max_blocks, " blocks");
}

// One axis is divided among all ranks.
Ref<Decomposition> along(Comm& comm, std::span<const int64_t> shape, int32_t axis, const Division& by) {
  std::vector<Division> axes;
  axes.reserve(shape.size());
  for (const int64_t n : shape) axes.push_back(Division::whole(n));
  axes[static_cast<size_t>(axis)] = by;
  auto grid = std::make_shared<RankGrid>(Ref<Comm>::share(&comm), std::vector<int32_t>{comm.place().size});
  return make<Decomposition>(std::move(grid), std::vector<int64_t>(shape.begin(), shape.end()),
                             std::move(axes));
}

}  // namespace

int64_t count_of(const IndexRanges& s) {
  return std::accumulate(s.begin(), s.end(), int64_t{0},
                         [](int64_t n, const IndexRange& one) { return n + one.to - one.from; });
}

Division Division::whole(int64_t n) {
  IndexRanges all;
  append(&all, 0, n);
  return division(-1, {all});
}

Division Division::blocks(int64_t n, int32_t grid_axis, int32_t parts, int64_t block) {
  std::vector<IndexRanges> out(static_cast<size_t>(parts));
  if (block == 0) {
    int64_t from = 0;
    for (int32_t k = 0; k < parts; ++k) {
      const int64_t to = from + n / parts + (k < n % parts ? 1 : 0);
      append(&out[static_cast<size_t>(k)], from, to);
      from = to;
    }
  } else {
    for (int64_t b = 0, from = 0; from < n; ++b) {
      const int64_t to = n - from <= block ? n : from + block;
      append(&out[static_cast<size_t>(b % parts)], from, to);
      from = to;
    }
  }
  return division(grid_axis, std::move(out));
}

Division Division::counts(std::span<const int64_t> counts, int32_t grid_axis) {
  std::vector<IndexRanges> out(counts.size());
  int64_t from = 0;
  for (size_t k = 0; k < counts.size(); ++k) {
    append(&out[k], from, from + counts[k]);
    from += counts[k];
  }
  return division(grid_axis, std::move(out));
}

Division Division::owners(std::span<const int32_t> owners, int32_t grid_axis, int32_t parts) {
  std::vector<IndexRanges> out(static_cast<size_t>(parts));
  for (size_t i = 0; i < owners.size(); ++i) {
    append(&out[static_cast<size_t>(owners[i])], static_cast<int64_t>(i), static_cast<int64_t>(i) + 1);
  }
  return division(grid_axis, std::move(out));
}

Division Division::in_blocks(int64_t n) const {
  return grid_axis < 0 ? whole(n) : blocks(n, grid_axis, static_cast<int32_t>(parts->size()), 0);
}

bool Division::contiguous() const {
  int64_t from = 0;
  return std::all_of(parts->begin(), parts->end(), [&](const IndexRanges& s) {
    if (s.empty()) return true;
    const bool follows = s.size() == 1 && s[0].from == from;
    from = s[0].to;
    return follows;
  });
}

int32_t RankGrid::coordinate(int32_t rank, int32_t axis) const {
  for (size_t i = extents_.size(); i-- > static_cast<size_t>(axis) + 1;) rank /= extents_[i];
  return rank % extents_[static_cast<size_t>(axis)];
}

int32_t RankGrid::with_coordinate(int32_t rank, int32_t axis, int32_t value) const {
  int32_t scale = 1;
  for (size_t i = extents_.size(); i-- > static_cast<size_t>(axis) + 1;) scale *= extents_[i];
  return rank + (value - coordinate(rank, axis)) * scale;
}

Comm& RankGrid::over(uint32_t axes) {
  int32_t color = 0;
  bool all = true;
  for (int32_t i = 0; i < static_cast<int32_t>(extents_.size()); ++i) {
    const int32_t n = extents_[static_cast<size_t>(i)];
    if ((axes >> static_cast<uint32_t>(i) & 1U) != 0 || n == 1) continue;
    all = false;
    color = color * n + coordinate(rank(), i);
  }
  if (all) return *comm_;
  const std::lock_guard lock(mutex_);
  Ref<Comm>& known = over_[axes];
  if (!known) known = comm_->split(color, rank());
  return *known;
}

Decomposition::Decomposition(std::shared_ptr<RankGrid> ranks, std::vector<int64_t> extents,
                             std::vector<Division> by)
    : grid(std::move(ranks)), shape(std::move(extents)), axes(std::move(by)) {}

const IndexRanges& Decomposition::segments(int32_t axis, int32_t rank) const {
  const Division& d = axes[static_cast<size_t>(axis)];
  return (*d.parts)[d.grid_axis < 0 ? 0 : static_cast<size_t>(grid->coordinate(rank, d.grid_axis))];
}

std::vector<int64_t> Decomposition::part_shape(int32_t rank) const {
  std::vector<int64_t> out;
  out.reserve(shape.size());
  for (int32_t i = 0; i < ndim(); ++i) out.push_back(count_of(segments(i, rank)));
  return out;
}

uint32_t Decomposition::dividing() const {
  uint32_t out = 0;
  for (const Division& d : axes) {
    if (d.grid_axis >= 0) out |= 1U << static_cast<uint32_t>(d.grid_axis);
  }
  return out;
}

bool Decomposition::same(const Decomposition& o) const {
  return &comm() == &o.comm() && shape == o.shape && std::ranges::equal(grid->extents(), o.grid->extents()) &&
         std::equal(axes.begin(), axes.end(), o.axes.begin(), o.axes.end(),
                    [](const Division& a, const Division& b) { return a.same(b); });
}

Ref<Decomposition> decomposition_blocks(Comm& comm, std::span<const int64_t> shape,
                                        std::span<const int32_t> grid, std::span<const int64_t> blocks) {
  check_shape(shape);
  const int32_t size = comm.place().size;
  const std::vector<int32_t> parts = checked_grid(size, shape.size(), grid);
  if (!blocks.empty() && blocks.size() != shape.size()) {
    fail(ARR_E_ARGUMENT, "argument nblocks: ", blocks.size(), ", expected 0 or ", shape.size());
  }
  std::vector<int32_t> extents{size};
  std::vector<Division> axes;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t block = blocks.empty() ? 0 : checked_block(blocks[i], shape[i], i);
    if (parts[i] == 1) {
      axes.push_back(Division::whole(shape[i]));
      continue;
    }
    extents[0] /= parts[i];
    axes.push_back(Division::blocks(shape[i], static_cast<int32_t>(extents.size()), parts[i], block));
    extents.push_back(parts[i]);
  }
  auto ranks = std::make_shared<RankGrid>(Ref<Comm>::share(&comm), std::move(extents));
  return make<Decomposition>(std::move(ranks), std::vector<int64_t>(shape.begin(), shape.end()),
                             std::move(axes));
}

Ref<Decomposition> decomposition_counts(Comm& comm, std::span<const int64_t> shape, int32_t axis,
                                        Counts counts) {
  check_shape(shape);
  const int32_t k = normalize_axis(static_cast<int32_t>(shape.size()), axis);
  if (counts.size() != static_cast<size_t>(comm.place().size)) {
    fail(ARR_E_ARGUMENT, "argument ncounts: ", counts.size(), ", expected the number of ranks, ",
         comm.place().size);
  }
  int64_t sum = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 0) fail(ARR_E_ARGUMENT, "argument counts[", i, "]: ", counts[i], " is negative");
    sum = checked::add(sum, counts[i], "argument counts");
  }
  const int64_t n = shape[static_cast<size_t>(k)];
  if (sum != n)
    fail(ARR_E_ARGUMENT, "argument counts: a sum of ", sum, ", expected the extent of axis ", k, ", ", n);
  return along(comm, shape, k, Division::counts(counts, 0));
}

Ref<Decomposition> decomposition_owners(Comm& comm, std::span<const int64_t> shape, int32_t axis,
                                        std::span<const int32_t> owners) {
  check_shape(shape);
  const int32_t k = normalize_axis(static_cast<int32_t>(shape.size()), axis);
  const int64_t n = shape[static_cast<size_t>(k)];
  if (static_cast<int64_t>(owners.size()) != n) {
    fail(ARR_E_ARGUMENT, "argument nowners: ", owners.size(), ", expected the extent of axis ", k, ", ", n);
  }
  const int32_t size = comm.place().size;
  for (size_t i = 0; i < owners.size(); ++i) {
    if (owners[i] < 0 || owners[i] >= size) {
      fail(ARR_E_ARGUMENT, "argument owners[", i, "]: ", owners[i], ", expected a rank, 0 to ", size - 1);
    }
  }
  return along(comm, shape, k, Division::owners(owners, 0, size));
}

Ref<Decomposition> with_axes(const Decomposition& by, std::vector<int64_t> shape,
                             std::vector<Division> axes) {
  return make<Decomposition>(by.grid, std::move(shape), std::move(axes));
}

Ref<Decomposition> with_whole(const Decomposition& by, std::span<const int32_t> wanted) {
  std::vector<Division> axes = by.axes;
  for (size_t given = 0; given < wanted.size(); ++given) {
    const auto axis = static_cast<size_t>(wanted[given]);
    size_t to = axes.size();
    for (size_t i = 0; i < axes.size(); ++i) {
      const bool free = by.axes[i].grid_axis < 0 && axes[i].grid_axis < 0 && by.shape[i] > 1;
      if (free && (to == axes.size() || by.shape[i] > by.shape[to])) to = i;
    }
    if (to == axes.size() && given > 0) break;
    if (to < axes.size()) {
      axes[to] = Division::blocks(by.shape[to], axes[axis].grid_axis,
                                  static_cast<int32_t>(axes[axis].parts->size()), 0);
    }
    axes[axis] = Division::whole(by.shape[axis]);
  }
  return with_axes(by, by.shape, std::move(axes));
}

Ref<Decomposition> decomposition_whole(const std::shared_ptr<RankGrid>& grid,
                                       std::span<const int64_t> shape) {
  std::vector<Division> axes;
  axes.reserve(shape.size());
  for (const int64_t n : shape) axes.push_back(Division::whole(n));
  return make<Decomposition>(grid, std::vector<int64_t>(shape.begin(), shape.end()), std::move(axes));
}

Ref<Decomposition> decomposition_at(Comm& comm, std::span<const int64_t> shape, int32_t root) {
  if (shape.empty()) {
    return decomposition_whole(
        std::make_shared<RankGrid>(Ref<Comm>::share(&comm), std::vector<int32_t>{comm.place().size}), shape);
  }
  std::vector<int64_t> counts(static_cast<size_t>(comm.place().size));
  counts[static_cast<size_t>(root)] = shape[0];
  return along(comm, shape, 0, Division::counts(counts, 0));
}

}  // namespace arr
