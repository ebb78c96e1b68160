// SPDX-License-Identifier: MIT
// Reads and writes sparse matrices in .npz files, with SciPy's names of the arrays.
#pragma once

#include <string_view>

#include "ops/sparse/sparse.h"

namespace arr::io {

void save_sparse_npz(const Sparse& a, std::string_view path, bool compressed, Stream* stream);
Ref<Sparse> load_sparse_npz(std::string_view path, Device device, Stream* stream);

}  // namespace arr::io
