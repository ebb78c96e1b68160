// SPDX-License-Identifier: MIT
// The target of a function's result: a new array, or an array of the caller.
#pragma once

#include "entry.h"
#include "ops/engine/destination.h"
#include "ops/engine/elementwise.h"

namespace arr::capi {

struct Target {
  bool made = true;
  arr_array* out = nullptr;  // made: receives the new handle
  arr_array dst = nullptr;   // else: the array to write
};
inline Target made(arr_array* out) { return {true, out, nullptr}; }
inline Target into(arr_array dst) { return {false, nullptr, dst}; }

// A public function with such a result, which body(stream) computes. Into an array it is cast by the
// same_kind rule.
template <class Body>
arr_status give(const char* function, const Target& to, arr_stream stream_handle, Body&& body) noexcept {
  if (to.made) {
    return make_array(function, to.out, [&] {
      auto s = stream(stream_handle);
      return body(s.get());
    });
  }
  return guard(function, [&] {
    auto dst = array(to.dst, "dst");
    auto s = stream(stream_handle);
    check_writable(*dst);
    write_result(*dst, *body(s.get()), s.get());
  });
}

}  // namespace arr::capi
