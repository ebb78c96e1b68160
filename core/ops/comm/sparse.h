// SPDX-License-Identifier: MIT
// Collective operations and messages of sparse matrices: one call for the sizes, then the parts.
#pragma once

#include <span>
#include <vector>

#include "ops/comm/comm.h"
#include "ops/sparse/sparse.h"

namespace arr {

// Each is called outside of groups.
//
// The matrix of rank root, which alone gives one.
Ref<Sparse> sparse_broadcast(Comm& comm, const Sparse* a, int32_t root, Stream* stream);
// A matrix for each rank, or nullptr for none; returns what the ranks have for this one.
std::vector<Ref<Sparse>> sparse_all_to_all(Comm& comm, std::span<const Sparse* const> a, Stream* stream);
// The matrices of all ranks combined in the order of ranks; root -1: on all ranks. Empty on other ranks.
Ref<Sparse> sparse_reduce_ranks(Comm& comm, const Sparse& a, const ReductionInfo& by, int32_t root,
                                Stream* stream);
void sparse_send(Comm& comm, const Sparse& a, int32_t receiver, Stream* stream);
Ref<Sparse> sparse_recv(Comm& comm, int32_t sender, Stream* stream);

}  // namespace arr
