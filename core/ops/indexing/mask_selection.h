// SPDX-License-Identifier: MIT
// The true elements of a condition, as bits with prefix counts on its device: selections and writes by masks
// use them.
#pragma once

#include <span>

#include "backend/indexing.h"
#include "ops/elementwise/create.h"

namespace arr {

class MaskSelection {
 public:
  // Selects the elements that are not zero.
  MaskSelection(const Array& condition, Stream* stream);
  // Selects by a program of one output, a bool, over the shape that its inputs broadcast to.
  MaskSelection(const Program& condition, std::span<const Input> given, const Layout& shape, Stream* stream);

  [[nodiscard]] const Layout& shape() const { return shape_; }
  // Their number. Waits.
  [[nodiscard]] int64_t count() const;
  // The same as an array without dimensions, which does not wait.
  [[nodiscard]] Ref<Array> count_array() const;

  // The k-th selected element of a program's outputs becomes element k of each of outs, contiguous vectors of
  // their types that share no memory with the inputs; the rest of outs stays as it is.
  void compact(std::span<const Array* const> outs, const Program& values, std::span<const Input> given) const;
  // The same of one array of that shape.
  void compact(const Array& out, const Array& a) const;
  // The coordinates in an array of extents `space`, as columns of a matrix, or each in one of several
  // vectors. One extent: positions in row-major order.
  void indices(std::span<const Array* const> outs, Shape space) const;
  void indices(const Array& matrix, Shape space) const;
  // The selected rows of an array, whose first axes are those of the shape, as rows of `out`, which is
  // contiguous. has_rows(): an element of the first axes has contiguous memory.
  static bool has_rows(const Array& a, int32_t leading);
  void rows(const Array& out, const Array& a) const;
  // The k-th selected element of `target`, of that shape, becomes element k % n of n values, a contiguous
  // vector of the same type that shares no memory with the target.
  void masked_scatter(const Array& target, const Array& values) const;

 private:
  [[nodiscard]] MaskBits mask() const;
  void run(CompactCall* c, const Queue& q) const;
  void set_indices(std::span<int64_t* const> to, int64_t step, int64_t capacity, Shape space,
                   const Queue& q) const;

  Stream* stream_;
  Layout shape_;
  int64_t size_;
  Ref<Array> memory_;  // int64: the running counts, then the bits; nullptr where there are no elements
};

}  // namespace arr
