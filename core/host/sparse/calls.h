// SPDX-License-Identifier: MIT
// Work of the host: sparse matrices. Functions are threaded and return when the work is done;
// device/streams.h has its order. Exceptions are arr::Error.
#pragma once

namespace arr {

struct SparseAssembleCall;
struct GraphCall;
struct SparseCheckCall;
struct SparseCholeskyCall;
struct SparseCholeskyPartsCall;
struct SparseCholeskySolveCall;
struct SparseCombineCall;
struct SparseFindCall;
struct SparseFromDenseCall;
struct SparseGemmCall;
struct SparseIlutCall;
struct SparseIncompleteCall;
struct SparseLuCall;
struct SparseLuPartsCall;
struct SparseLuSolveCall;
struct SparseJoinCall;
struct SparseMergeCall;
struct SparseOrderCall;
struct SparseProductCall;
struct SparseSelectCall;
struct SparseTransposeCall;
struct SparseTriangularCall;

namespace host {

void sparse_assemble(const SparseAssembleCall& call);
void sparse_check(const SparseCheckCall& call);
void sparse_cholesky(const SparseCholeskyCall& call);
void sparse_cholesky_parts(const SparseCholeskyPartsCall& call);
void sparse_cholesky_solve(const SparseCholeskySolveCall& call);
void sparse_combine(const SparseCombineCall& call);
void sparse_find(const SparseFindCall& call);
void sparse_from_dense(const SparseFromDenseCall& call);
void sparse_gemm(const SparseGemmCall& call);
void sparse_graph(const GraphCall& call);
void sparse_ilut(const SparseIlutCall& call);
void sparse_incomplete(const SparseIncompleteCall& call);
void sparse_lu(const SparseLuCall& call);
void sparse_lu_parts(const SparseLuPartsCall& call);
void sparse_lu_solve(const SparseLuSolveCall& call);
void sparse_join(const SparseJoinCall& call);
void sparse_merge(const SparseMergeCall& call);
void sparse_order(const SparseOrderCall& call);
void sparse_product(const SparseProductCall& call);
void sparse_select(const SparseSelectCall& call);
void sparse_transpose(const SparseTransposeCall& call);
void sparse_triangular(const SparseTriangularCall& call);

}  // namespace host

}  // namespace arr
