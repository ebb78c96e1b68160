// SPDX-License-Identifier: MIT
// Joins arrays along an axis, and splits an array along one.
#pragma once

#include <span>
#include <vector>

#include "ops/elementwise/create.h"

namespace arr {

using ArrayList = std::span<const Array* const>;

// Joins arrays. With ARR_AXIS_NONE it joins all their elements in row-major order. Without a dtype, the
// result has the dtype to which all promote. The result has the memory order of the arrays, or row-major
// order if they differ.
Ref<Array> concatenate(ArrayList arrays, int32_t axis, DType dtype, Stream* stream);
// Joins the values to the end of a.
Ref<Array> append(const Array& a, const Array& values, int32_t axis, Stream* stream);
// dst may overlap the arrays.
void concatenate_into(const Array& dst, ArrayList arrays, int32_t axis, Stream* stream);
// Joins the arrays along a new axis `axis` of the result.
Ref<Array> stack(ArrayList arrays, int32_t axis, DType dtype, Stream* stream);

// NumPy's vstack, hstack, dstack and column_stack.
enum class StackKind { rows, columns, depth, vectors };
Ref<Array> stack_as(StackKind kind, ArrayList arrays, DType dtype, Stream* stream);

// Assembles nested lists of blocks, as numpy.block does: a list at depth `depth` joins along the last axis,
// the enclosing one along the axis before it. lengths: of the lists, an outer list before those that it
// contains.
Ref<Array> block(ArrayList arrays, std::span<const int32_t> lengths, int32_t depth, Stream* stream);

// Adds the axes that NumPy's atleast_1d, _2d and _3d add; a view.
Ref<Array> atleast_nd(const Array& a, int32_t ndim);

// Splits into n views; the first extent % n of them have one element more.
std::vector<Ref<Array>> split(const Array& a, int64_t n, int32_t axis, bool equal);
// Splits at the given indices, which follow Python's rules of slices; views.
std::vector<Ref<Array>> split_at(const Array& a, std::span<const int64_t> positions, int32_t axis);
// Splits into one view per index of the axis, which is removed.
std::vector<Ref<Array>> unstack(const Array& a, int32_t axis, int64_t n);

}  // namespace arr
