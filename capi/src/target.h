// SPDX-License-Identifier: MIT
// Where a function's result goes: a new array, or one of the caller's.
#pragma once

#include "entry.h"
#include "ops/engine/destination.h"
#include "ops/engine/elementwise.h"

namespace arr::capi {

struct Target {
  bool made = true;
  arr_array* out = nullptr;  // made: the new handle
  arr_array dst = nullptr;   // else: what is written
};
inline Target made(arr_array* out) { return {true, out, nullptr}; }
inline Target into(arr_array dst) { return {false, nullptr, dst}; }

// A public function with such a result, which body(stream) makes; into an array it is cast within a kind.
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
