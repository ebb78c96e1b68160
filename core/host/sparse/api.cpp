// SPDX-License-Identifier: MIT
// The host's table of this family.
#include "backend/sparse.h"

#include "host/device/streams.h"
#include "host/sparse/calls.h"
#include "host/tables.h"

namespace arr::host {

const SparseApi sparse_api = {
    .scatters = true,
    .product = entry<sparse_product, SparseProductCall>,
    .order = entry<sparse_order, SparseOrderCall>,
    .assemble = entry<sparse_assemble, SparseAssembleCall>,
    .gemm = entry<sparse_gemm, SparseGemmCall>,
    .merge = entry<sparse_merge, SparseMergeCall>,
    .check = entry<sparse_check, SparseCheckCall>,
    .transpose = entry<sparse_transpose, SparseTransposeCall>,
    .combine = entry<sparse_combine, SparseCombineCall>,
    .select = entry<sparse_select, SparseSelectCall>,
    .find = entry<sparse_find, SparseFindCall>,
};

}  // namespace arr::host
