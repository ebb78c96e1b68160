// SPDX-License-Identifier: MIT
// The division of a global array among the ranks of a communicator.
//
// The ranks form a grid, in row-major order. Each axis of the array is divided among the indices of one axis
// of the grid, or each rank has the whole axis; so a part is the product of lists of indices, one per axis.
// Ranks that differ only along axes of the grid that divide nothing have the same part.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "array/layout.h"
#include "ops/comm/comm.h"

namespace arr {

// The indices from, ..., to - 1 of an axis.
struct IndexRange {
  int64_t from = 0, to = 0;
  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};
// In ascending order; none is empty, and none ends where the next begins.
using IndexRanges = std::vector<IndexRange>;
int64_t count_of(const IndexRanges& s);

// The division of an axis of n indices.
struct Division {
  int32_t grid_axis = -1;                                 // -1: each rank has the whole axis
  std::shared_ptr<const std::vector<IndexRanges>> parts;  // for each index of the grid's axis; whole: one

  static Division whole(int64_t n);
  // `parts` contiguous ones, the sizes of which differ by one at most; or blocks dealt out in turn. block 0:
  // the former.
  static Division blocks(int64_t n, int32_t grid_axis, int32_t parts, int64_t block);
  static Division counts(std::span<const int64_t> counts, int32_t grid_axis);
  static Division owners(std::span<const int32_t> owners, int32_t grid_axis, int32_t parts);
  // As contiguous blocks, for an axis of n indices.
  [[nodiscard]] Division in_blocks(int64_t n) const;
  // True if each part is one segment at most, and they follow each other.
  [[nodiscard]] bool contiguous() const;
  [[nodiscard]] bool same(const Division& o) const {
    return grid_axis == o.grid_axis && (parts == o.parts || *parts == *o.parts);
  }
};

// The ranks of a communicator as a grid.
class RankGrid {
 public:
  RankGrid(Ref<Comm> comm, std::vector<int32_t> extents)
      : comm_(std::move(comm)), extents_(std::move(extents)) {}
  [[nodiscard]] Comm& comm() const { return *comm_; }
  [[nodiscard]] int32_t rank() const { return comm_->place().rank; }
  [[nodiscard]] int32_t size() const { return comm_->place().size; }
  [[nodiscard]] std::span<const int32_t> extents() const { return extents_; }
  [[nodiscard]] int32_t coordinate(int32_t rank, int32_t axis) const;
  // The rank that differs from `rank` in that coordinate.
  [[nodiscard]] int32_t with_coordinate(int32_t rank, int32_t axis, int32_t value) const;
  // The communicator of the ranks that differ from this one along axes of a mask only. The first call for a
  // mask is one of all ranks.
  Comm& over(uint32_t axes);

 private:
  Ref<Comm> comm_;
  std::vector<int32_t> extents_;
  std::mutex mutex_;
  std::map<uint32_t, Ref<Comm>> over_;
};

class Decomposition : public Object {
 public:
  Decomposition(std::shared_ptr<RankGrid> ranks, std::vector<int64_t> extents, std::vector<Division> by);
  const std::shared_ptr<RankGrid> grid;
  const std::vector<int64_t> shape;
  const std::vector<Division> axes;

  [[nodiscard]] int32_t ndim() const { return static_cast<int32_t>(shape.size()); }
  [[nodiscard]] Comm& comm() const { return grid->comm(); }
  [[nodiscard]] Device device() const { return comm().place().device; }
  [[nodiscard]] const IndexRanges& segments(int32_t axis, int32_t rank) const;
  [[nodiscard]] std::vector<int64_t> part_shape(int32_t rank) const;
  [[nodiscard]] std::vector<int64_t> part_shape() const { return part_shape(grid->rank()); }
  // The axes of the grid that divide an axis of the array among several ranks, as a mask.
  [[nodiscard]] uint32_t dividing() const;
  // The same division, on the same communicator.
  [[nodiscard]] bool same(const Decomposition& o) const;
};

// The same grid with other axes.
Ref<Decomposition> with_axes(const Decomposition& by, std::vector<int64_t> shape, std::vector<Division> axes);

// The same with some of the given axes whole, one of them at least, which are divided: each gives its axis of
// the grid to the longest axis that is whole; where there is none, to none, so that ranks get copies.
Ref<Decomposition> with_whole(const Decomposition& by, std::span<const int32_t> wanted);

// Each axis among grid[axis] ranks; the remaining factor of the number of ranks holds copies. grid empty: the
// first axis among all. blocks empty: contiguous parts.
Ref<Decomposition> decomposition_blocks(Comm& comm, std::span<const int64_t> shape,
                                        std::span<const int32_t> grid, std::span<const int64_t> blocks);
// One axis among all ranks.
Ref<Decomposition> decomposition_counts(Comm& comm, std::span<const int64_t> shape, int32_t axis,
                                        Counts counts);
Ref<Decomposition> decomposition_owners(Comm& comm, std::span<const int64_t> shape, int32_t axis,
                                        std::span<const int32_t> owners);
// Each rank has all elements.
Ref<Decomposition> decomposition_whole(const std::shared_ptr<RankGrid>& grid, std::span<const int64_t> shape);
// One rank has all elements; of arrays without axes, each.
Ref<Decomposition> decomposition_at(Comm& comm, std::span<const int64_t> shape, int32_t root);

}  // namespace arr
