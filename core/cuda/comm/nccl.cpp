// SPDX-License-Identifier: MIT
// Communicators of GPUs by NCCL, which never block: a call that waits for other ranks is in progress until
// the state of its communicator says that it is not.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

#include "backend/comm.h"
#include "cuda/comm/calls.h"
#include "cuda/device/device.h"

namespace arr::cuda {

struct NcclRank {
  ncclComm_t comm = nullptr;
  // NCCL writes the handle of a communicator that is made of another one when its ranks have come.
  [[nodiscard]] ncclComm_t get() { return std::atomic_ref(comm).load(std::memory_order_acquire); }
};

namespace {

void check(ncclResult_t r, const char* function) {
  if (r == ncclSuccess || r == ncclInProgress) return;
  fail(r == ncclRemoteError ? ARR_E_LOST : ARR_E_DEVICE, function, ": ", nccl().ncclGetErrorString(r), " (",
       r, ")");
}

ncclDataType_t type_of(DType d) {
  switch (d) {
    case DType::int8_:
      return ncclInt8;
    case DType::int32_:
      return ncclInt32;
    case DType::uint32_:
      return ncclUint32;
    case DType::int64_:
      return ncclInt64;
    case DType::uint64_:
      return ncclUint64;
    case DType::float16_:
      return ncclFloat16;
    case DType::bfloat16_:
      return ncclBfloat16;
    case DType::float32_:
      return ncclFloat32;
    case DType::float64_:
      return ncclFloat64;
    default:
      return ncclUint8;
  }
}

ncclRedOp_t op_of(CommOp op) {
  static constexpr ncclRedOp_t ops[] = {ncclSum, ncclProd, ncclMax, ncclMin};
  return ops[static_cast<size_t>(op)];
}

ncclConfig_t without_blocking() {
  ncclConfig_t c;
  c.blocking = 0;
  return c;
}

void issue(Device& d, ncclComm_t comm, const CommPiece& p) {
  const Nccl& n = nccl();
  const CUstream stream = d.stream(p.stream).handle;
  const auto count = static_cast<size_t>(p.count);
  const ncclDataType_t type = type_of(p.dtype);
  const ncclRedOp_t op = op_of(p.op);
  switch (p.work) {
    case CommWork::all_reduce:
      return check(n.ncclAllReduce(p.src, p.dst, count, type, op, comm, stream), "ncclAllReduce");
    case CommWork::reduce:
      return check(n.ncclReduce(p.src, p.dst, count, type, op, p.peer, comm, stream), "ncclReduce");
    case CommWork::broadcast:
      return check(n.ncclBroadcast(p.src, p.dst, count, type, p.peer, comm, stream), "ncclBroadcast");
    case CommWork::all_gather:
      return check(n.ncclAllGather(p.src, p.dst, count, type, comm, stream), "ncclAllGather");
    case CommWork::reduce_scatter:
      return check(n.ncclReduceScatter(p.src, p.dst, count, type, op, comm, stream), "ncclReduceScatter");
    case CommWork::send:
      return check(n.ncclSend(p.src, count, type, p.peer, comm, stream), "ncclSend");
    case CommWork::recv:
      return check(n.ncclRecv(p.dst, count, type, p.peer, comm, stream), "ncclRecv");
  }
}

}  // namespace

void nccl_id(char* id) {
  static_assert(sizeof(ncclUniqueId) == comm_id_bytes);
  ncclUniqueId fresh{};
  check(nccl().ncclGetUniqueId(&fresh), "ncclGetUniqueId");
  std::memcpy(id, fresh.internal, sizeof fresh);
}

void* nccl_init(Device&, const CommInitCall& c) {
  ncclUniqueId id{};
  std::memcpy(id.internal, c.id, sizeof id);
  ncclConfig_t config = without_blocking();
  auto rank = std::make_unique<NcclRank>();
  check(nccl().ncclCommInitRankConfig(&rank->comm, c.size, id, c.rank, &config), "ncclCommInitRankConfig");
  return rank.release();
}

void nccl_start(Device& d, NcclRank& rank, const CommPiece* pieces, int64_t n) {
  check(nccl().ncclGroupStart(), "ncclGroupStart");
  try {
    for (int64_t i = 0; i < n; ++i) issue(d, rank.comm, pieces[i]);
  } catch (...) {
    nccl().ncclGroupEnd();  // this thread's group ends in any case
    throw;
  }
  check(nccl().ncclGroupEnd(), "ncclGroupEnd");
}

bool nccl_done(Device&, NcclRank& rank) {
  if (rank.get() == nullptr) return false;
  ncclResult_t state = ncclSuccess;
  check(nccl().ncclCommGetAsyncError(rank.comm, &state), "ncclCommGetAsyncError");
  check(state, "NCCL");
  return state == ncclSuccess;
}

void* nccl_shrink(Device&, NcclRank& rank, const int32_t* excluded, int32_t n, bool aborts) {
  if (nccl().ncclCommShrink == nullptr) {
    fail(ARR_E_UNSUPPORTED, "this NCCL has no ncclCommShrink, expected version 2.27 or later");
  }
  std::vector<int> sorted(excluded, excluded + n);
  std::sort(sorted.begin(), sorted.end());
  ncclConfig_t config = without_blocking();
  auto made = std::make_unique<NcclRank>();  // which NCCL fills when the ranks have come
  check(nccl().ncclCommShrink(rank.comm, sorted.data(), n, &made->comm, &config,
                              aborts ? ncclShrinkAbort : ncclShrinkDefault),
        "ncclCommShrink");
  return made.release();
}

void nccl_abort(Device&, NcclRank* rank) {
  if (rank->get() == nullptr) return;  // kept: NCCL may still write to it
  const std::unique_ptr<NcclRank> gone(rank);
  check(nccl().ncclCommAbort(rank->comm), "ncclCommAbort");
}

void nccl_destroy(Device&, NcclRank* rank) {
  const std::unique_ptr<NcclRank> gone(rank);
  check(nccl().ncclCommDestroy(rank->comm), "ncclCommDestroy");
}

}  // namespace arr::cuda
