// SPDX-License-Identifier: MIT
// A mask as bits with prefix counts, in the memory of its device. Selections and masked writes use it.
#pragma once

#include <span>

#include "backend/indexing.h"
#include "ops/elementwise/create.h"

namespace arr {

class MaskSelection {
 public:
  // Selects the nonzero elements of an array.
  MaskSelection(const Array& condition, Stream* stream);
  // Selects by a program with one bool output, over the shape that its inputs broadcast to.
  MaskSelection(const Program& condition, std::span<const Input> given, const Layout& shape, Stream* stream);

  [[nodiscard]] const Layout& shape() const { return shape_; }
  // The number of selected elements. Waits.
  [[nodiscard]] int64_t count() const;
  // The number as a 0-dimensional array; does not wait.
  [[nodiscard]] Ref<Array> count_array() const;

  // Evaluates a program for the selected elements: the values of the k-th one become element k of each array
  // of outs. These are contiguous vectors of the outputs' types and share no memory with the inputs. Elements
  // of outs beyond the count are unchanged.
  void compact(std::span<const Array* const> outs, const Program& values, std::span<const Input> given) const;
  // The same for the elements of one array of the mask's shape.
  void compact(const Array& out, const Array& a) const;
  // Writes the coordinates of the selected elements in an array of extents `space`: as rows of a matrix, or
  // one vector per axis. With one extent these are row-major indices.
  void indices(std::span<const Array* const> outs, Shape space) const;
  void indices(const Array& matrix, Shape space) const;
  // Copies the selected rows of an array, whose first axes have the mask's shape, to the rows of the
  // contiguous `out`. has_rows(): true if the remaining axes are contiguous in memory.
  static bool has_rows(const Array& a, int32_t leading);
  void rows(const Array& out, const Array& a) const;
  // Sets the k-th selected element of `target`, which has the mask's shape, to values[k % n]. The n values
  // are a contiguous vector of the same type and share no memory with the target.
  void masked_scatter(const Array& target, const Array& values) const;

 private:
  [[nodiscard]] MaskBits mask() const;
  void run(CompactCall* c, const Queue& q) const;
  void set_indices(std::span<int64_t* const> to, int64_t step, int64_t capacity, Shape space,
                   const Queue& q) const;

  Stream* stream_;
  Layout shape_;
  int64_t size_;
  Ref<Array> memory_;  // int64 prefix counts, followed by the bits; nullptr if the mask is empty
};

}  // namespace arr
