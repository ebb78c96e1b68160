// SPDX-License-Identifier: MIT
// The host's table of this family.
#include "backend/sparse.h"

#include "host/device/streams.h"
#include "host/sparse/calls.h"
#include "host/tables.h"

namespace arr::host {

namespace {

// The entry of a call that runs at once, after the work that its stream has.
template <auto Run, class Call>
int32_t waiting(int32_t /*device*/, const Call* call, void* stream, BackendError* error) {
  return translate_exceptions(error, [&] {
    Stream& s = stream_of(stream);
    s.refuse_capture();
    s.sync();
    Run(*call);
  });
}

}  // namespace

const SparseApi sparse_api = {
    .scatters = true,
    .semirings = true,
    .product = entry<sparse_product, SparseProductCall>,
    .order = entry<sparse_order, SparseOrderCall>,
    .assemble = entry<sparse_assemble, SparseAssembleCall>,
    .gemm = entry<sparse_gemm, SparseGemmCall>,
    .merge = entry<sparse_merge, SparseMergeCall>,
    .check = entry<sparse_check, SparseCheckCall>,
    .transpose = entry<sparse_transpose, SparseTransposeCall>,
    .combine = entry<sparse_combine, SparseCombineCall>,
    .select = entry<sparse_select, SparseSelectCall>,
    .join = entry<sparse_join, SparseJoinCall>,
    .find = entry<sparse_find, SparseFindCall>,
    .from_dense = entry<sparse_from_dense, SparseFromDenseCall>,
    .lu = waiting<sparse_lu, SparseLuCall>,
    .lu_solve = entry<sparse_lu_solve, SparseLuSolveCall>,
    .lu_parts = waiting<sparse_lu_parts, SparseLuPartsCall>,
    .cholesky = waiting<sparse_cholesky, SparseCholeskyCall>,
    .cholesky_solve = entry<sparse_cholesky_solve, SparseCholeskySolveCall>,
    .cholesky_parts = waiting<sparse_cholesky_parts, SparseCholeskyPartsCall>,
    .triangular = entry<sparse_triangular, SparseTriangularCall>,
    .incomplete = entry<sparse_incomplete, SparseIncompleteCall>,
    .ilut = waiting<sparse_ilut, SparseIlutCall>,
    .graph = waiting<sparse_graph, GraphCall>,
};

}  // namespace arr::host
