// SPDX-License-Identifier: MIT
// Index arrays: open and full grids, diagonals and triangles, and positions in row-major order.
#pragma once

#include <vector>

#include "ops/indexing/indexed_access.h"

namespace arr {

// Positions in an array of that shape, of coordinates along each axis that broadcast; and back.
Ref<Array> ravel_multi_index(std::span<const Array* const> indices, Shape shape,
                             std::span<const Bounds> bounds, Order order, Stream* stream);
std::vector<Ref<Array>> unravel_index(const Array& positions, Shape shape, Order order, Stream* stream);

// Vectors, each along its own axis, so that together they index a block; a mask stands for its true
// indices.
std::vector<Ref<Array>> open_mesh(std::span<const Array* const> vectors, Stream* stream);
// out[k, i...] = i[k] over the shape.
Ref<Array> grid_indices(Shape shape, DType dtype, Device device, Stream* stream);
// 0 .. n-1 once for each axis; rows and columns at or below (lower) the k-th diagonal, or at and above it.
std::vector<Ref<Array>> diagonal_indices(int64_t n, int32_t ndim, Device device, Stream* stream);
std::vector<Ref<Array>> triangle_indices(int64_t rows, int64_t columns, int64_t k, bool lower, Device device,
                                         Stream* stream);

// a[i, i, ...] = values, which are repeated as often as they must; wrap: below a square block of a tall
// matrix the diagonal begins again after a row.
void fill_diagonal(const Array& a, const Input& values, bool wrap, Stream* stream);

}  // namespace arr
