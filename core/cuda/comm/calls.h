// SPDX-License-Identifier: MIT
// Work of the CUDA backend: communicators of GPUs.
#pragma once

#include <cstdint>

namespace arr {

struct CommInitCall;
struct CommPiece;

namespace cuda {

class Device;
struct NcclRank;

void nccl_id(char* id);
void* nccl_init(Device& d, const CommInitCall& c);
void nccl_start(Device& d, NcclRank& rank, const CommPiece* pieces, int64_t n);
bool nccl_done(Device& d, NcclRank& rank);
void* nccl_shrink(Device& d, NcclRank& rank, const int32_t* excluded, int32_t n, bool aborts);
void nccl_abort(Device& d, NcclRank* rank);
void nccl_destroy(Device& d, NcclRank* rank);

}  // namespace cuda

}  // namespace arr
