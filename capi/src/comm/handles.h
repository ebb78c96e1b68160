// SPDX-License-Identifier: MIT
// Handles of communicators.
#pragma once

#include "arr/comm.h"
#include "capi/src/entry.h"
#include "ops/comm/comm.h"

namespace arr::capi {

template <>
struct KindOf<Comm> {
  static constexpr Kind kind = Kind::comm;
};
// Counts of the ranks; none if n is 0.
inline Counts counts_argument(int32_t n, const int64_t* counts, const char* argument) {
  if (n < 0) fail(ARR_E_ARGUMENT, "argument ncounts: ", n, " is negative");
  if (n > 0) check_pointer(counts, argument);
  return {counts, static_cast<size_t>(n)};
}
inline Pinned<Comm> comm(arr_comm h) { return lookup<Comm>(h, "comm"); }

// A public function that makes a communicator.
template <class Body>
arr_status make_comm(const char* function, arr_comm* out, Body&& body) noexcept {
  return guard(function, [&] {
    check_pointer(out, "out");
    publish<Comm>(body(), out);
  });
}

}  // namespace arr::capi
