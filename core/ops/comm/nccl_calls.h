// SPDX-License-Identifier: MIT
// One rank's call as what a vendor's library does: the memory that it uses, its pieces, and the result.
#pragma once

#include <vector>

#include "backend/comm.h"
#include "ops/comm/calls.h"

namespace arr {

class NcclCall {
 public:
  explicit NcclCall(CommCall call) noexcept : call_(std::move(call)) {}
  [[nodiscard]] const CommCall& call() const noexcept { return call_; }

  // prepare(), then the pieces of pieces(), then deliver() once they are enqueued.
  void prepare(const CommPlace& at);
  void add_pieces(const CommPlace& at, std::vector<CommPiece>* pieces) const;
  void deliver(const CommPlace& at);

 private:
  [[nodiscard]] CommPiece piece(CommWork work) const;
  void add_reduction(const CommPlace& at, std::vector<CommPiece>* pieces) const;
  void add_reduced_parts(const CommPlace& at, std::vector<CommPiece>* pieces) const;
  void add_joined(const CommPlace& at, std::vector<CommPiece>* pieces) const;
  void add_exchange(const CommPlace& at, std::vector<CommPiece>* pieces) const;

  CommCall call_;
  Ref<Array> in_, out_;  // without gaps: the caller's arrays or copies
  Ref<Array> all_;       // a row of each rank, for a combination that the library does not have
  int64_t row_ = 1;      // bytes per index of the first axis
  CommOp op_ = CommOp::sum;
  DType type_ = DType::none;  // none: the library does not have the combination
  int64_t numbers_ = 1;       // of type_ in an element
};

}  // namespace arr
