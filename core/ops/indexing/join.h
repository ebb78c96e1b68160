// SPDX-License-Identifier: MIT
// Arrays joined along an axis, and cut along one.
#pragma once

#include <span>
#include <vector>

#include "ops/elementwise/create.h"

namespace arr {

using ArrayList = std::span<const Array* const>;

// Axis ARR_AXIS_NONE: all elements of each in row-major order. dtype none: the type that all promote to. The
// axes lie in memory as they do in the arrays, in row-major order where the arrays differ.
Ref<Array> concatenate(ArrayList arrays, int32_t axis, DType dtype, Stream* stream);
// The values after the elements of a.
Ref<Array> append(const Array& a, const Array& values, int32_t axis, Stream* stream);
// dst may overlap the arrays.
void concatenate_into(const Array& dst, ArrayList arrays, int32_t axis, Stream* stream);
// Along a new axis, at position `axis` of the result.
Ref<Array> stack(ArrayList arrays, int32_t axis, DType dtype, Stream* stream);

// NumPy's vstack, hstack, dstack and column_stack.
enum class StackKind { rows, columns, depth, vectors };
Ref<Array> stack_as(StackKind kind, ArrayList arrays, DType dtype, Stream* stream);

// Nested lists of blocks, as numpy.block has them: a list at depth `depth` joins along the last axis, one
// outside of it along the axis before. lengths: of the lists, each before those inside of it.
Ref<Array> block(ArrayList arrays, std::span<const int32_t> lengths, int32_t depth, Stream* stream);

// The axes that NumPy's atleast_1d, _2d and _3d add; a view.
Ref<Array> at_least(const Array& a, int32_t ndim);

// Views. The first extent % n of n sections are longer by one than the others.
std::vector<Ref<Array>> split(const Array& a, int64_t n, int32_t axis, bool equal);
// Before, between and after positions, which follow Python's rules of slices.
std::vector<Ref<Array>> split_at(const Array& a, std::span<const int64_t> positions, int32_t axis);
// Each index of an axis, which is removed.
std::vector<Ref<Array>> unstack(const Array& a, int32_t axis, int64_t n);

}  // namespace arr
