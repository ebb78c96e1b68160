// SPDX-License-Identifier: MIT
// The CUDA backend's table of this family.
#include "backend/sparse.h"
#include "cuda/device/entry.h"
#include "cuda/sparse/calls.h"
#include "cuda/tables.h"

namespace arr::cuda {

const SparseApi sparse_api = {
    .scatters = false,
    .semirings = true,
    .product = entry<sparse_product, SparseProductCall>,
    .order = nullptr,
    .assemble = nullptr,
    .gemm = nullptr,
    .merge = nullptr,
    .check = nullptr,
    .transpose = nullptr,
    .combine = nullptr,
    .select = nullptr,
    .join = nullptr,
    .find = nullptr,
    .from_dense = nullptr,
    .lu = entry<sparse_lu, SparseLuCall>,
    .lu_solve = entry<sparse_lu_solve, SparseLuSolveCall>,
    .lu_parts = nullptr,
    .cholesky = nullptr,
    .cholesky_solve = nullptr,
    .cholesky_parts = nullptr,
    .triangular = entry<sparse_triangular, SparseTriangularCall>,
    .incomplete = entry<sparse_incomplete, SparseIncompleteCall>,
    .ilut = nullptr,
    .graph = nullptr,
};

}  // namespace arr::cuda
