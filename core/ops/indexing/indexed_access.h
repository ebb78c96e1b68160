// SPDX-License-Identifier: MIT
// Elements of an array at computed indices: the parts of every function that reads or writes them.
#pragma once

#include <vector>

#include "ops/elementwise/create.h"
#include "ops/elementwise/index_bounds.h"

namespace arr {

// Integers that index an axis.
struct AxisIndex {
  Ref<Array> array;   // broadcasts to the indexed shape
  int32_t axis = 0;   // of the view; -1: none, every index is 0
  int32_t named = 0;  // the axis in the text of errors
  Bounds bounds = Bounds::raise;
  bool negative = false;  // some count from the end
  bool known = false;     // all lie in the axis, none is negative
};

// For each i of the shape the element of the view at the sum of i[d] along from[d] and of every index.
struct IndexedView {
  Ref<Array> view;
  Layout shape;            // strides are not used
  int32_t from[max_ndim];  // the view's axis that a dimension runs along; -1: only the indices determine it
  std::vector<AxisIndex> indices;  // empty: the elements are those of the view's axes
  bool distinct = false;           // no element is indexed twice

  void add_dimension(int64_t extent, int32_t axis);
};

// Integers, or throws.
void check_integers(const Array& index, const char* argument);
// Throws where an axis without elements is indexed.
void check_extents(const IndexedView& indexed, const char* argument);
// Throws there too, and where an index with Bounds::raise lies outside of its axis: before a write. Waits
// for such indices.
void check_bounds(IndexedView* indexed, const char* argument, Stream* stream);

// The index as it counts from the first element of an axis, int64.
int32_t position_in(ProgramBuilder& b, int32_t node, const AxisIndex& index, int64_t extent);

// The elements at the indices, a new array. Indices with Bounds::raise are checked as they are read: the host
// throws, another device's next call that waits does. check_extents() comes before.
Ref<Array> gather(const IndexedView& indexed, const char* argument, Stream* stream);
// Assigns to the elements; the last value wins where an index is repeated. The value broadcasts to their
// shape; a scalar has the dtype of the array.
void put(const IndexedView& indexed, const Input& value, Stream* stream);
// The same of indices that are not checked yet: check_bounds() comes first, or a device checks them itself.
void put_checked(IndexedView indexed, const char* argument, const Input& value, Stream* stream);
// Each element becomes op(itself, value) once for each time its index occurs; value is nullptr for ops of one
// operand.
void update(const IndexedView& indexed, const OpInfo& op, const Input* value, Stream* stream);

}  // namespace arr
