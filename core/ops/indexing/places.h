// SPDX-License-Identifier: MIT
// Places of an array that are computed: the parts of every function that reads or writes there.
#pragma once

#include <vector>

#include "ops/engine/create.h"
#include "ops/engine/index_bounds.h"

namespace arr {

// Integers that index an axis.
struct PlaceIndex {
  Ref<Array> array;   // broadcasts to the shape of the places
  int32_t axis = 0;   // of the view; -1: none, every index is 0
  int32_t named = 0;  // the axis in the text of errors
  Bounds bounds = Bounds::raise;
  bool negative = false;  // some count from the end
  bool known = false;     // all lie in the axis, none is negative
};

// For each i of the shape the element of the view at the sum of i[d] along from[d] and of every index.
struct Places {
  Ref<Array> view;
  Layout shape;                     // strides are not used
  int32_t from[max_ndim];           // the view's axis that a dimension runs along; -1: only the indices tell
  std::vector<PlaceIndex> indices;  // none: the places are those of the view's axes
  bool distinct = false;            // no element is met twice

  void add_dimension(int64_t extent, int32_t axis);
};

// Integers, or throws.
void check_integers(const Array& index, const char* argument);
// Throws where an axis without elements is indexed.
void check_extents(const Places& places, const char* argument);
// Throws there too, and where an index with Bounds::raise lies outside of its axis: before a write. Waits
// for such indices.
void check_bounds(Places* places, const char* argument, Stream* stream);

// The index as it counts from the first element of an axis, int64.
int32_t position_in(ProgramBuilder& b, int32_t node, const PlaceIndex& index, int64_t extent);

// The elements at the places, a new array. Indices with Bounds::raise are checked as they are read: the host
// throws, another device's next call that waits does. check_extents() comes before.
Ref<Array> gather(const Places& places, const char* argument, Stream* stream);
// Assigns to the places; the last value wins where one is met twice. The value broadcasts to their shape; a
// scalar has the dtype of the array.
void put(const Places& places, const Input& value, Stream* stream);
// The same of indices that are not checked yet: check_bounds() comes first, or a device checks them itself.
void put_checked(Places places, const char* argument, const Input& value, Stream* stream);
// Each place becomes op(itself, value) once for each time it is met; value is nullptr for ops of one operand.
void update(const Places& places, const OpInfo& op, const Input* value, Stream* stream);

}  // namespace arr
