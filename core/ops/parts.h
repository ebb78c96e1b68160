// SPDX-License-Identifier: MIT
// What composites are put together from: parts of arrays, and programs over them.
#pragma once

#include <initializer_list>

#include "ops/create.h"

namespace arr {

// Positions from .. to of an axis, a view.
Ref<Array> part(const Array& a, int32_t axis, int64_t from, int64_t to);
// A vector along `axis` of an array of `ndim` dimensions, so that it broadcasts; a view.
Ref<Array> along(const Array& vector, int32_t ndim, int32_t axis);
// The axis moved to another place, a view.
Ref<Array> move_axis(const Array& a, int32_t from, int32_t to);
// All elements in row-major order.
Ref<Array> ravel(const Array& a, Stream* stream);

// A vector of the numbers 0 .. n-1 or more of int64, kept per device: index values of programs are windows on
// it.
Ref<Array> iota(int64_t n, Device device, Stream* stream);
// The real (0) or imaginary (1) parts of a complex array, a view.
Ref<Array> complex_part(const Array& a, int32_t which);

// A new array of one op; of a program that was just built, over arrays that broadcast.
Ref<Array> apply(int32_t op, std::initializer_list<const Array*> arrays, Stream* stream);
Ref<Array> run(const BoundProgram& p, std::span<const Array* const> arrays, Stream* stream);
void run_into(const Array& dst, const BoundProgram& p, std::span<const Array* const> arrays, Stream* stream);

// float64 for integers and bool, else the type itself.
DType inexact(DType d);

}  // namespace arr
