// SPDX-License-Identifier: MIT
// The offsets of indexed elements, as steps of a program. Reads load there, writes and updates scatter there.
#pragma once

#include <span>
#include <vector>

#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/deferred_errors.h"
#include "ops/indexing/indexed_access.h"

namespace arr {

// An index array, and the distance between consecutive indices of its axis.
struct OffsetTerm {
  Ref<Array> array;
  Bounds bounds = Bounds::unchecked;
  bool known = false;  // all indices are in range, and none is negative
  int64_t extent = 0, stride = 0;
  const FaultNote* note = nullptr;  // of indices that are checked, for the error
};

// The terms of an indexed view whose memory has those strides. Without an argument to name, the indices have
// been checked.
std::vector<OffsetTerm> offset_terms(const IndexedView& indexed, const Layout& memory, const char* argument);

// The sum of the terms' positions times strides. Inputs of its program: the index arrays, which the caller
// adds, then the extents of terms that are not known to be in range, and the factors. So one program serves
// all shapes.
class OffsetSum {
 public:
  // A program has inputs for this many index arrays.
  static constexpr size_t max_terms = 4;

  // Combines terms into arrays of offsets until at most max_terms are left, and sorts them.
  OffsetSum(std::vector<OffsetTerm> terms, Stream* stream);
  [[nodiscard]] std::span<const OffsetTerm> terms() const { return terms_; }
  // The index arrays as inputs.
  void add_arrays(std::vector<Input>* inputs) const;
  // Appends the steps to a program, and their inputs. Returns the node of the offset.
  int32_t build(ProgramBuilder& b, std::span<const int32_t> indices) const;
  void add_scalars(std::vector<Input>* inputs) const;
  // Identifies the steps in a cache of programs, in 36 bits.
  [[nodiscard]] uint64_t key() const;
  // Returns the elements of type d at the offsets from base addresses; without these, the offsets.
  Ref<Array> load(DType d, const Input* base, Order order, Stream* stream) const;

 private:
  std::vector<OffsetTerm> terms_;
  bool nested_ = false;
};

}  // namespace arr
