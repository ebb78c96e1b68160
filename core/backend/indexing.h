// SPDX-License-Identifier: MIT
// Updates of elements at computed places.
#pragma once

#include "backend/elementwise.h"

namespace arr {

// for i in shape, in row-major order: the element at target.data + offset + sum over d of i[d] *
// target.strides[d] becomes combine(that element, values...), where (offset, values...) = map(inputs[i]).
// offset is in bytes and int64; every element that is met lies in the target. combine's one output has the
// type of its first input, which is the target's. Several i may meet one element: they combine in order,
// except on a device that is parallel by nature, where each counts once, in no fixed order. Dimensions over
// which the offset does not change meet different elements. The target overlaps no input.
struct ScatterCall {
  const Program* map = nullptr;
  const Program* combine = nullptr;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;
  const Operand* operands = nullptr;  // the map's inputs
  Operand target;                     // strides over the dimensions, 0 where the offset alone tells
  int64_t dense = 0;  // elements of the target where it is a block that begins at its data, else 0
};

template <class Visitor>
void visit(Visitor& v, ScatterCall& c) {
  v.name([&] { return text(describe(*c.combine), " at (", describe(*c.map), ")"); });
  v.shape(c.shape, c.ndim);
  v.operands(c.operands, std::ssize(c.map->inputs), c.ndim);
  v.numbers(c.target.strides, c.ndim);
  visit_inputs(v, *c.map, c.operands, c.ndim, c.shape);
  v.bytes([&] {  // of the target: each element is read and written
    int64_t elements = item_size(c.combine->inputs[0]);
    for (int32_t d = 0; d < c.ndim; ++d) elements *= c.shape[d];
    return 2 * elements;
  });
}

struct IndexingApi {
  int32_t (*scatter)(int32_t device, const ScatterCall*, void* stream, BackendError*);
};

}  // namespace arr
