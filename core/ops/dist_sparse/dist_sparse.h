// SPDX-License-Identifier: MIT
// Sparse matrices whose rows are divided among the ranks of a communicator, with the plan of their exchange.
#pragma once

#include "ops/iterative/linop.h"

namespace arr {

// The elements of a vector that go to another rank or come from it: a segment of those that go or come at
// all.
struct Segment {
  int32_t rank;
  int64_t from, to;
};

// One rank's part of a matrix. A product needs elements of the vector that this rank has, and of other
// ranks': each rank sends the others what they asked for when the matrix was made. Never changed.
class DistSparse final : public Object {
 public:
  struct Plan {
    std::vector<Segment> sent, received;
    Ref<Array> sent_at;  // the indices, among this rank's elements, of those that go; int64
  };
  // The elements of two blocks, and their transposes.
  struct Blocks {
    Blocks(Ref<Sparse> own_block, Ref<Sparse> rest_block)
        : own(std::move(own_block)),
          rest(std::move(rest_block)),
          own_turned(own->transpose()),
          rest_turned(rest->transpose()) {}
    Ref<Sparse> own,
        rest;  // columns of this rank; the others, numbered as received, in the rows that have any
    Ref<Sparse> own_turned, rest_turned;
  };
  DistSparse(std::shared_ptr<const Ranks> among, std::shared_ptr<const Plan> exchange, Ref<Array> at,
             int64_t all, Blocks parts)
      : ranks(std::move(among)),
        plan(std::move(exchange)),
        rest_rows(std::move(at)),
        whole_nnz(all),
        blocks(std::move(parts)) {}

  const std::shared_ptr<const Ranks> ranks;
  const std::shared_ptr<const Plan> plan;
  const Ref<Array> rest_rows;  // the row of each line of blocks.rest, int64
  const int64_t whole_nnz;     // of all ranks
  const Blocks blocks;

  [[nodiscard]] Comm& comm() const noexcept { return *ranks->comm; }
  [[nodiscard]] const Extents& extents() const noexcept {
    return blocks.own->extents;
  }  // of this rank's vectors
  [[nodiscard]] DType dtype() const noexcept { return blocks.own->dtype(); }
  [[nodiscard]] Device device() const noexcept { return blocks.own->device(); }
  [[nodiscard]] int64_t nnz() const noexcept { return blocks.own->nnz() + blocks.rest->nnz(); }
  [[nodiscard]] Ref<DistSparse> share() const noexcept {
    return Ref<DistSparse>::share(const_cast<DistSparse*>(this));
  }
};

// The matrix of the rows of all ranks, whose column numbers are those of all. columns: how many elements of a
// vector that is multiplied each rank has; empty: as many as rows. All ranks call it.
Ref<DistSparse> dist_sparse(Comm& comm, const Sparse& rows, Counts columns, Stream* stream);

// The parts of a x, of its transpose's product or of its adjoint's; all ranks call these, with vectors of one
// type, or matrices of as many columns.
Ref<Array> matmul(const DistSparse& a, const Mode& mode, const Array& x, Stream* stream);
void matmul_into(const Array& dst, const DistSparse& a, const Mode& mode, const Array& x, Stream* stream);

Ref<LinearOperator> linop_of(const DistSparse& a);

// Sends segments of rows to other ranks, and receives others of them while work() runs.
void exchange_segments(Comm& comm, const Array& out, const std::vector<Segment>& sent, const Array& in,
                       const std::vector<Segment>& received, Stream* stream,
                       const std::function<void()>& work);

}  // namespace arr
