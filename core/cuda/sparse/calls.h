// SPDX-License-Identifier: MIT
// Work of the CUDA backend: sparse matrices. A function enqueues in the stream of its call.
#pragma once

namespace arr {

struct SparseIncompleteCall;
struct SparseLuCall;
struct SparseLuSolveCall;
struct SparseProductCall;
struct SparseTriangularCall;

namespace cuda {

class Device;
struct Stream;

void sparse_product(Device& d, const SparseProductCall& c, Stream& s);
void sparse_incomplete(Device& d, const SparseIncompleteCall& c, Stream& s);
void sparse_lu(Device& d, const SparseLuCall& c, Stream& s);
void sparse_lu_solve(Device& d, const SparseLuSolveCall& c, Stream& s);
void sparse_triangular(Device& d, const SparseTriangularCall& c, Stream& s);

}  // namespace cuda

}  // namespace arr
