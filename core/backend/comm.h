// SPDX-License-Identifier: MIT
// Communicators of devices that a vendor's library connects.
#pragma once

#include <cstdint>

#include "array/dtype.h"
#include "backend/error.h"

namespace arr {

inline constexpr int32_t comm_id_bytes = 128;

// One rank's part in what ranks do together; counts are of elements without gaps.
enum class CommWork : int32_t { all_reduce, reduce, broadcast, all_gather, reduce_scatter, send, recv };
enum class CommOp : int32_t { sum, prod, max, min };

struct CommPiece {
  CommWork work = CommWork::all_reduce;
  CommOp op = CommOp::sum;      // of reductions
  DType dtype = DType::uint8_;  // any integer but of 16 bits, or any float; work without a reduction: uint8
  int32_t peer = 0;             // the root, or the other rank of a message
  int64_t count = 0;            // as the library counts: of all_gather and reduce_scatter those of one rank
  const void* src = nullptr;
  void* dst = nullptr;
  void* stream = nullptr;
};

struct CommInitCall {
  int32_t size = 1, rank = 0;
  const char* id = nullptr;  // comm_id_bytes
};

// A communicator is the backend's pointer. Its functions do not wait for other ranks: after init, start and
// shrink, state says when they are done. One thread at a time calls the functions of a communicator.
struct CommApi {
  int32_t (*id)(char* id, BackendError*);
  int32_t (*init)(int32_t device, const CommInitCall*, void** comm, BackendError*);
  // Enqueues the pieces in their streams, all of them together. They are alive until state says `done`.
  int32_t (*start)(int32_t device, void* comm, const CommPiece* pieces, int64_t n, BackendError*);
  // Fails with what has failed since the last call, here or at another rank.
  int32_t (*state)(int32_t device, void* comm, bool* done, BackendError*);
  // A communicator without some ranks; *out is ready once the state of `comm` is done. aborts: ends what
  // runs.
  int32_t (*shrink)(int32_t device, void* comm, const int32_t* excluded, int32_t n, bool aborts, void** out,
                    BackendError*);
  // Ends all work of the communicator, which is gone then.
  int32_t (*abort)(int32_t device, void* comm, BackendError*);
  // Releases the communicator once its work has run.
  int32_t (*destroy)(int32_t device, void* comm, BackendError*);
};

}  // namespace arr
