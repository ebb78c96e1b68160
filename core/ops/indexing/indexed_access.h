// SPDX-License-Identifier: MIT
// Elements of an array at computed indices: the functions from which all indexed reads and writes are made.
#pragma once

#include <vector>

#include "ops/elementwise/create.h"
#include "ops/elementwise/index_bounds.h"

namespace arr {

// An array of indices into an axis.
struct AxisIndex {
  Ref<Array> array;   // broadcasts to the indexed shape
  int32_t axis = 0;   // the axis of the view; -1: none, every index is 0
  int32_t named = 0;  // the axis that error texts name
  Bounds bounds = Bounds::raise;
  bool known = false;  // all indices are in range, and none is negative
};

// Elements of a view, selected by indices. Element i of `shape` is the view's element whose coordinate along
// each axis is the sum of i[d] for the dimensions d with from[d] == axis and of that axis's index.
struct IndexedView {
  Ref<Array> view;
  Layout shape;            // strides are not used
  int32_t from[max_ndim];  // the view's axis along which dimension d runs; -1: only indices depend on it
  std::vector<AxisIndex> indices;  // if empty, the elements are those of the view's axes
  bool distinct = false;           // no element is indexed twice

  void add_dimension(int64_t extent, int32_t axis);
};

// Throws if the elements are not integers.
void check_integers(const Array& index, const char* argument);
// Throws if an index refers to an axis without elements.
void check_extents(const IndexedView& indexed, const char* argument);
// Does the same, and throws if an index that is checked is out of range, before anything is written. Waits
// for the check.
void check_bounds(IndexedView* indexed, const char* argument, Stream* stream);
// Throws if an index that counts from 1 is out of range. Waits for the check.
void check_from_one(const Array& index, const char* argument, int32_t axis, int64_t extent, Stream* stream);

// Returns the elements at the indices as a new array. Call check_extents() first. Indices are checked
// while they are read: the host throws at once, on another device the next call that waits
// throws.
Ref<Array> gather(const IndexedView& indexed, const char* argument, Stream* stream);
// Assigns to the elements. If an index is repeated, the last value wins. The value broadcasts to the indexed
// shape; a scalar has the dtype of the array.
void put(const IndexedView& indexed, const Input& value, Stream* stream);
// Assigns at indices that are not checked yet. It calls check_bounds() unless the device checks them itself.
void put_checked(IndexedView indexed, const char* argument, const Input& value, Stream* stream);
// Throws because a value of this shape does not broadcast to the indexed shape.
[[noreturn]] void refuse_shape(const Layout& value, const Layout& indexed);
// Fails if op does not take one operand, or with a value two.
void check_operand_count(const OpInfo& op, const Input* value);
// Replaces each element by op(element, value), once for each occurrence of its index; value is nullptr for
// ops of one operand.
void update(const IndexedView& indexed, const OpInfo& op, const Input* value, Stream* stream);

}  // namespace arr
