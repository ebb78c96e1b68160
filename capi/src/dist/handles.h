// SPDX-License-Identifier: MIT
// Handles of decompositions and distributed arrays.
#pragma once

#include <vector>

#include "arr/dist.h"
#include "base/renaming.h"
#include "capi/src/comm/handles.h"
#include "ops/comm/together.h"
#include "ops/dist/dist.h"

namespace arr::capi {

template <>
struct KindOf<Decomposition> {
  static constexpr Kind kind = Kind::decomposition;
};
template <>
struct KindOf<Dist> {
  static constexpr Kind kind = Kind::dist;
};
inline Pinned<Decomposition> decomposition(arr_decomposition h) {
  return lookup<Decomposition>(h, "decomposition");
}
inline Pinned<Dist> dist(arr_dist h, const char* argument) { return lookup<Dist>(h, argument); }

// A list of numbers, or none where n is 0.
template <class T, class N>
std::span<const T> numbers(N n, const T* list, const char* count, const char* argument) {
  if (n < 0) fail(ARR_E_ARGUMENT, "argument ", count, ": ", n, " is negative");
  if (n > 0) check_pointer(list, argument);
  return {list, static_cast<size_t>(n)};
}

// Several distributed arrays, kept alive.
class Dists {
 public:
  Dists(int32_t n, const arr_dist* handles) {
    if (n < 1 || n > Expression::max_inputs)
      fail(ARR_E_ARGUMENT, "argument nin: ", n, ", expected 1 to ", Expression::max_inputs);
    check_pointer(handles, "in");
    for (int32_t i = 0; i < n; ++i) {
      pinned_.push_back(dist(handles[i], "in"));
      all_.push_back(pinned_.back().get());
    }
  }
  [[nodiscard]] arr::Dists all() const { return all_; }

 private:
  std::vector<Pinned<Dist>> pinned_;
  std::vector<const Dist*> all_;
};

// Runs what all ranks of a communicator do together. If memory runs out or a device fails on one of them, the
// calls of the others end too. argument: the one that has the communicator.
template <class Body>
void by_all_ranks(Comm& comm, const char* argument, Body&& body) {
  lead(&comm, [&] { renaming({{"comm", argument}}, body); });
}
// The same of the ranks that have the parts of `a`; returns the result.
template <class Body>
auto by_ranks_of(const arr::Dist& a, Body&& body, const char* argument = "a") {
  decltype(body()) out{};
  by_all_ranks(a.decomposition->comm(), argument, [&] { out = body(); });
  return out;
}

// The same of several distributed arrays: body(list of them).
template <class Body>
Ref<arr::Dist> by_ranks_of(int32_t n, const arr_dist* in, Body&& body) {
  if (n < 1) fail(ARR_E_ARGUMENT, "argument nin: ", n, ", expected 1 to ", Expression::max_inputs);
  check_pointer(in, "in");
  auto first = dist(in[0], "in");
  return by_ranks_of(
      *first, [&] { return body(Dists(n, in).all()); }, "in");
}

// A public function that makes a distributed array: body(stream).
template <class Body>
arr_status make_dist(const char* function, arr_stream stream_handle, arr_dist* out, Body&& body) noexcept {
  return guard(function, [&] {
    check_pointer(out, "out");
    auto s = stream(stream_handle);
    publish<Dist>(body(s.get()), out);
  });
}

}  // namespace arr::capi
