// SPDX-License-Identifier: MIT
// Elements of sparse matrices by index expressions.
#pragma once

#include <span>

#include "ops/indexing/index.h"
#include "ops/sparse/sparse.h"

namespace arr {

// The indices of one axis: start, start + step, ..., `count` of them, which are in range; or those of a
// vector of int64.
struct Chosen {
  int64_t start = 0, step = 1, count = 0;
  Ref<Array> list;
  bool rises = true;  // each index is above the one before

  [[nodiscard]] bool whole(int64_t extent) const {
    return !list && start == 0 && step == 1 && count == extent;
  }
};
// Both axes of an index expression; true for an axis that an array of integers or a mask indexes.
struct ChosenItems {
  Chosen rows, columns;
};
ChosenItems chosen_items(const Extents& extents, std::span<const Index> indices, Device device,
                         Stream* stream);
// The indices as a vector of int64.
Ref<Array> listed(const Chosen& c, Device device, Stream* stream);
// The integers as int64 from 0 on; throws if one is not in -extent .. extent - 1. Waits.
Ref<Array> in_range(const Array& index, int64_t extent, int32_t axis, const char* argument, Stream* stream);

// a[rows, columns]; see arr_sparse_get_items. Waits for the number of elements.
Ref<Sparse> get_items(const Sparse& a, std::span<const Index> indices, Stream* stream);
// The lines of a compressed matrix, and the elements of chosen indices in all its lines.
Ref<Sparse> lines_at(const Sparse& a, const Chosen& c, Stream* stream);
Ref<Sparse> inner_at(const Sparse& a, const Chosen& c, Stream* stream);
// The elements at pairs of a row and a column, which broadcast.
Ref<Array> elements_at(const Sparse& a, const Array& rows, const Array& columns, Stream* stream);

// The matrix with a block in place of a[rows, columns], or with values in place of the elements at pairs of a
// row and a column; the last of several values wins. Values are cast by the same_kind rule. In a's format;
// waits.
Ref<Sparse> with_items(const Sparse& a, std::span<const Index> indices, const Sparse& block, Stream* stream);
Ref<Sparse> with_elements(const Sparse& a, const Array& rows, const Array& columns, const Input& values,
                          Stream* stream);

// The values as elements of a; throws unless they cast by the same_kind rule.
Ref<Array> cast_to(const Sparse& a, const Array& values, const char* argument, Stream* stream);

// Rows and columns that broadcast, as vectors of int64 in range, and the shape to which they broadcast.
struct Pairs {
  Ref<Array> row, column;
  Layout shape;
};
Pairs pairs_of(const Sparse& a, const Array& rows, const Array& columns, Stream* stream);

}  // namespace arr
