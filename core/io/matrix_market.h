// SPDX-License-Identifier: MIT
// Reads and writes sparse matrices in MatrixMarket files.
#pragma once

#include <string_view>

#include "ops/sparse/sparse.h"

namespace arr::io {

enum class MtxSymmetry : int32_t {
  general = ARR_MTX_GENERAL,
  symmetric = ARR_MTX_SYMMETRIC,
  skew_symmetric = ARR_MTX_SKEW_SYMMETRIC,
  hermitian = ARR_MTX_HERMITIAN
};

// symmetry: of a symmetric matrix, which is not checked, the lower triangle is written.
void save_mtx(const Sparse& given, std::string_view path, MtxSymmetry symmetry, std::string_view comment,
              Stream* stream);
Ref<Sparse> load_mtx(std::string_view path, Device device, Stream* stream);

}  // namespace arr::io
