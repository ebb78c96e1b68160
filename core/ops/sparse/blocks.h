// SPDX-License-Identifier: MIT
// Matrices stored by diagonals (SciPy's dia) and by dense blocks (bsr): made of these parts, and divided into
// them.
#pragma once

#include "ops/sparse/sparse.h"

namespace arr {

// See arr_sparse_dia. Waits.
Ref<Sparse> sparse_dia(const Extents& extents, const Array& data, const Array& offsets, Stream* stream);
// See arr_sparse_bsr. Waits.
Ref<Sparse> sparse_bsr(const Extents& extents, const Array& data, const Array& indices, const Array& pointers,
                       Stream* stream);

struct Diagonals {
  Ref<Array> data, offsets;
};
// See arr_sparse_to_dia. Waits.
Diagonals to_dia(const Sparse& a, Stream* stream);

struct Blocks {
  Ref<Array> data, indices, pointers;
};
// See arr_sparse_to_bsr. Waits.
Blocks to_bsr(const Sparse& a, const Extents& block, Stream* stream);

}  // namespace arr
