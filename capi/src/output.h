// SPDX-License-Identifier: MIT
// The destination of a function's result: a new array, or an array of the caller.
#pragma once

#include "entry.h"
#include "ops/elementwise/destination.h"
#include "ops/elementwise/elementwise.h"

namespace arr::capi {

struct Output {
  bool creates = true;
  arr_array* out = nullptr;  // creates: receives the new handle
  arr_array dst = nullptr;   // else: the array to write
};
inline Output new_output(arr_array* out) { return {true, out, nullptr}; }
inline Output existing_output(arr_array dst) { return {false, nullptr, dst}; }

// A public function with one result, which body(stream) computes. An existing output receives it cast by the
// same_kind rule.
template <class Body>
arr_status write_or_create(const char* function, const Output& to, arr_stream stream_handle,
                           Body&& body) noexcept {
  if (to.creates) {
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
