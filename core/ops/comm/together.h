// SPDX-License-Identifier: MIT
// Steps that all ranks of a communicator take, or none of them.
#pragma once

#include <functional>
#include <initializer_list>

#include "ops/comm/comm.h"

namespace arr {

// A number that is the same on all ranks, and its name in an error: "argument options: rtol".
struct CommonNumber {
  const char* name;
  int64_t value;
};

// Runs a body on each rank of a communicator. If it fails on a rank, all of them throw: each its own error,
// or that of the lowest such rank. So they do where a number differs. Returns true if `flag` is true on any
// rank.
bool together(Comm& comm, std::initializer_list<CommonNumber> numbers, bool flag, Stream* stream,
              const std::function<void()>& body);
inline void together(Comm& comm, Stream* stream, const std::function<void()>& body) {
  together(comm, {}, false, stream, body);
}

// Ends the calls of other ranks after an exception of this one, which is being handled; not if they know: it
// is ARR_E_LOST, or that of together(). alike: nor if the others have the same exception, all but
// ARR_E_MEMORY and ARR_E_DEVICE.
void give_up_after_failure(Comm* comm, bool alike) noexcept;

// Runs the steps of one rank of a method whose other ranks wait for it. If memory runs out or a device fails
// here, their calls end too. No communicator: runs the steps.
template <class Steps>
void lead(Comm* comm, Steps&& steps, bool alike = true) {
  try {
    steps();
  } catch (...) {
    give_up_after_failure(comm, alike);
    throw;
  }
}
// The same where each failure is this rank's own.
template <class Steps>
void lead_alone(Comm* comm, Steps&& steps) {
  lead(comm, steps, false);
}

// The numbers of all ranks, in their order; each has as many.
std::vector<int64_t> gathered(Comm& comm, const std::vector<int64_t>& own, Stream* stream);
// a = the sum of the arrays of all ranks.
void sum_over_ranks(Comm& comm, const Array& a, Stream* stream);

}  // namespace arr
