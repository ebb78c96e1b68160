// SPDX-License-Identifier: MIT
// Places of an array that are computed: what every function that reads or writes there is made of.
#pragma once

#include <vector>

#include "arr/indexing.h"
#include "ops/engine/create.h"

namespace arr {

// Handling of an index outside of its axis.
enum class Bounds : int32_t {
  raise = ARR_BOUNDS_RAISE,        // an error; -1 is the last element
  clip = ARR_BOUNDS_CLIP,          // the first or the last element; -1 is the first
  wrap = ARR_BOUNDS_WRAP,          // the remainder by the extent
  promised = ARR_BOUNDS_PROMISED,  // as raise, but the caller has checked
};
Bounds bounds_from(int32_t number);

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
// Throws where an index with Bounds::raise lies outside of its axis, and where an axis has no elements but is
// indexed. Waits for such indices.
void check_bounds(Places* places, const char* argument, Stream* stream);

// The index as it counts from the first element of an axis, int64.
int32_t position_in(ProgramBuilder& b, int32_t node, const PlaceIndex& index, int64_t extent);

// The elements at the places, a new array; of checked places.
Ref<Array> gather(const Places& places, Stream* stream);
// Assigns to the places; the last value wins where one is met twice. The value broadcasts to their shape; a
// scalar has the dtype of the array.
void put(const Places& places, const Input& value, Stream* stream);
// Each place becomes op(itself, value) once for each time it is met; value is nullptr for ops of one operand.
void update(const Places& places, const OpInfo& op, const Input* value, Stream* stream);

}  // namespace arr
