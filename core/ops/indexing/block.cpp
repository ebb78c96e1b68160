// SPDX-License-Identifier: MIT
// Assembles an array from nested lists of blocks. The extents of every list are added up first, so that each
// block is written once, to its part of the result.
#include <algorithm>

#include "ops/elementwise/array_ops.h"
#include "ops/indexing/join.h"

namespace arr {

namespace {

class Blocks {
 public:
  Blocks(ArrayList arrays, std::span<const int32_t> lengths, int32_t depth)
      : arrays_(arrays), lengths_(lengths), depth_(depth) {
    ndim_ = depth;
    for (const Array* a : arrays) ndim_ = std::max(ndim_, a->layout.ndim);
  }

  // Computes the result's shape in one pass over the lists.
  Layout shape() {
    rewind();
    const Layout out = shape_at(0);
    if (next_length_ != lengths_.size())
      fail(ARR_E_ARGUMENT, "argument lengths: ", lengths_.size(), " lists, expected ", next_length_);
    if (next_array_ != arrays_.size())
      fail(ARR_E_ARGUMENT, "argument n: ", arrays_.size(), " arrays, expected ", next_array_);
    return out;
  }
  void write(const Array& dst, Stream* stream) {
    rewind();
    write_at(0, dst, stream);
  }

 private:
  ArrayList arrays_;
  std::span<const int32_t> lengths_;
  int32_t depth_, ndim_ = 0;
  size_t next_length_ = 0, next_array_ = 0;

  void rewind() { next_length_ = next_array_ = 0; }
  [[nodiscard]] int32_t axis_of(int32_t level) const { return ndim_ - depth_ + level; }

  int32_t length() {
    if (next_length_ == lengths_.size())
      fail(ARR_E_ARGUMENT, "argument lengths: ", lengths_.size(), " lists, fewer than the nesting has");
    const int32_t n = lengths_[next_length_++];
    if (n < 1) fail(ARR_E_ARGUMENT, "argument lengths: a list of ", n, " blocks, expected 1 or more");
    return n;
  }
  Ref<Array> block() {
    if (next_array_ == arrays_.size())
      fail(ARR_E_ARGUMENT, "argument n: ", arrays_.size(), " arrays, fewer than the lists have");
    const Array& a = *arrays_[next_array_++];
    Layout l{};
    l.ndim = ndim_;
    const int32_t lead = ndim_ - a.layout.ndim;
    for (int32_t i = 0; i < ndim_; ++i) {
      l.shape[i] = i < lead ? 1 : a.layout.shape[i - lead];
      l.strides[i] = i < lead ? 0 : a.layout.strides[i - lead];
    }
    return a.view(l);
  }

  Layout shape_at(int32_t level) {
    if (level == depth_) return block()->layout;
    const int32_t n = length(), axis = axis_of(level);
    Layout all = shape_at(level + 1);
    for (int32_t k = 1; k < n; ++k) {
      const Layout next = shape_at(level + 1);
      for (int32_t d = 0; d < ndim_; ++d) {
        if (d == axis || next.shape[d] == all.shape[d]) continue;
        fail(ARR_E_SHAPE, "argument arrays: a block of shape ", next.text(), " beside one of ", all.text(),
             ", expected the same extents except along axis ", axis);
      }
      // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): axis < ndim_, and ndim_ extents are set
      all.shape[axis] = checked::add(all.shape[axis], next.shape[axis], "the joined extent");
    }
    return all;
  }

  // Writes the block or list at a level to the front of dst along that level's axis. Returns its extent along
  // the axis of the enclosing list.
  int64_t write_at(int32_t level, const Array& dst, Stream* stream) {
    if (level == depth_) {
      const Ref<Array> a = block();
      Ref<Array> to = dst.share();
      for (int32_t d = axis_of(0); d < ndim_; ++d) to = slice_axis(*to, d, 0, a->layout.shape[d]);
      assign(*to, *a, stream);
      return level == 0 ? 0 : a->layout.shape[axis_of(level - 1)];
    }
    const int32_t n = length(), axis = axis_of(level);
    int64_t at = 0, before = 0;
    for (int32_t k = 0; k < n; ++k) {
      const size_t first = next_array_;
      at += write_at(level + 1, *slice_axis(dst, axis, at, dst.layout.shape[axis]), stream);
      if (k == 0 && level > 0) before = extent_along(first, axis_of(level - 1));
    }
    return before;
  }
  // The extent of a list along the axis of an enclosing list, which is that of each of its blocks.
  [[nodiscard]] int64_t extent_along(size_t array, int32_t axis) const {
    const Layout& l = arrays_[array]->layout;
    const int32_t d = axis - (ndim_ - l.ndim);
    return d < 0 ? 1 : l.shape[d];
  }
};

}  // namespace

Ref<Array> block(ArrayList arrays, std::span<const int32_t> lengths, int32_t depth, Stream* stream) {
  if (depth < 0 || depth > max_ndim)
    fail(ARR_E_ARGUMENT, "argument depth: ", depth, ", expected 0 to ", max_ndim);
  if (arrays.empty()) fail(ARR_E_ARGUMENT, "argument n: 0, expected one array or more");
  DType d = arrays.front()->dtype;
  std::vector<Input> all;
  for (const Array* a : arrays) {
    d = promote(d, a->dtype);
    all.push_back({a, {}, false});
  }
  Blocks blocks(arrays, lengths, depth);
  const Layout shape = blocks.shape();
  Ref<Array> out = empty(d, shape.dims(), Order::C, common_device(all), stream);
  blocks.write(*out, stream);
  return out;
}

}  // namespace arr
