// SPDX-License-Identifier: MIT
// One rank's call as calls of MPI: the memory that they use, their requests, and the result.
#pragma once

#include <vector>

#include "ops/comm/mpi_library.h"

namespace arr {

// A nonblocking call of MPI.
struct MpiRequest {
  MpiHandle handle = 0;
  // A message that is received: how many elements are expected, and from which rank.
  MpiHandle type = 0;
  int expected = 0;
  int32_t source = -1;
  int got = 0, code = 0;
  bool done = false;

  bool test(const Mpi& m);  // true once it is done, with or without an error
  void wait(const Mpi& m);
  void check(const Mpi& m, int32_t rank) const;  // throws its failure
};

// The communicator that a rank's calls go to.
struct MpiRank {
  const Mpi& m;
  MpiHandle comm;
  const CommPlace& at;
};

class MpiCall {
 public:
  explicit MpiCall(CommCall call) noexcept : call_(std::move(call)) {}
  [[nodiscard]] CommKind kind() const noexcept { return call_.kind; }
  [[nodiscard]] const CommCall& call() const noexcept { return call_; }

  // prepare(), then one of the others, then deliver() once all requests are done.
  void prepare(const MpiRank& to);
  void run(const MpiRank& to) { issue(to, true); }
  void start(const MpiRank& to) { issue(to, false); }
  void deliver(const MpiRank& to);
  std::vector<MpiRequest>& requests() noexcept { return requests_; }

 private:
  struct Parts {
    std::vector<int> counts, starts;
  };
  // Runs a function of MPI, or starts its nonblocking twin.
  template <class Blocking, class Nonblocking, class... A>
  void pass(const MpiRank& to, Blocking blocking, Nonblocking nonblocking, A... a) {
    if (waits_) return mpi_check(to.m, blocking(a..., to.comm));
    MpiRequest r;
    mpi_check(to.m, nonblocking(a..., to.comm, &r.handle));
    requests_.push_back(r);
  }
  void issue(const MpiRank& to, bool waits);
  void whole(const MpiRank& to);
  void message(const MpiRank& to, int64_t at, int n);
  void divided(const MpiRank& to);
  void reduce_scatter(const MpiRank& to);
  void choose_unit(const MpiRank& to);
  [[nodiscard]] Parts parts(Counts counts) const;
  [[nodiscard]] int units(int64_t rows) const { return static_cast<int>(rows * row_ / unit_); }

  CommCall call_;
  const void* in_ = nullptr;
  void* out_ = nullptr;
  Ref<Array> in_copy_, out_copy_;  // where the caller's memory is strided or on a GPU
  bool waits_ = false;
  MpiHandle type_ = 0, op_ = 0;
  bool own_type_ = false;
  int64_t row_ = 1, unit_ = 1;  // elements per index of the first axis, and of type_
  Parts send_, recv_;           // MPI reads them until the call is done
  std::vector<MpiRequest> requests_;
};

}  // namespace arr
