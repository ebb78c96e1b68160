// SPDX-License-Identifier: MIT
// Index arrays: open and full grids, diagonals and triangles; conversion between coordinates and row-major
// indices.
#pragma once

#include <vector>

#include "ops/indexing/indexed_access.h"

namespace arr {

// Converts coordinates along each axis, which broadcast, to row-major indices of an array of that shape, and
// back.
Ref<Array> ravel_multi_index(std::span<const Array* const> indices, Shape shape,
                             std::span<const Bounds> bounds, Order order, Stream* stream);
std::vector<Ref<Array>> unravel_index(const Array& positions, Shape shape, Order order, Stream* stream);

// Returns the vectors as an open grid, each along its own axis, so that together they index a block. A mask
// is replaced by its true indices.
std::vector<Ref<Array>> open_mesh(std::span<const Array* const> vectors, Stream* stream);
// Returns the grid out[k, i...] = i[k] over the shape.
Ref<Array> grid_indices(Shape shape, DType dtype, Device device, Stream* stream);
// diagonal_indices: 0 .. n-1 for each axis. triangle_indices: rows and columns of the elements at or below
// the k-th diagonal (lower), or at or above it.
std::vector<Ref<Array>> diagonal_indices(int64_t n, int32_t ndim, Device device, Stream* stream);
std::vector<Ref<Array>> triangle_indices(int64_t rows, int64_t columns, int64_t k, bool lower, Device device,
                                         Stream* stream);

// Sets a[i, i, ...] to the values, which are repeated as needed. wrap: in a tall matrix, below each square
// block one row is skipped and another diagonal begins.
void fill_diagonal(const Array& a, const Input& values, bool wrap, Stream* stream);

}  // namespace arr
