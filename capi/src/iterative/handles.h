// SPDX-License-Identifier: MIT
// Handles of linear operators.
#pragma once

#include "arr/iterative.h"
#include "capi/src/linalg/arguments.h"
#include "ops/iterative/linop.h"

namespace arr::capi {

template <>
struct KindOf<LinearOperator> {
  static constexpr Kind kind = Kind::linop;
};

inline Pinned<LinearOperator> linop(arr_linop h, const char* argument) {
  return lookup<LinearOperator>(h, argument);
}
// NULL is an omitted operator: get() returns nullptr.
inline Pinned<LinearOperator> optional_linop(arr_linop h, const char* argument) {
  if (h == nullptr) return {0, nullptr};
  return linop(h, argument);
}

inline Mode mode_argument(int32_t op) {
  switch (op_argument(op)) {
    case LinalgOp::none:
      return plain_mode;
    case LinalgOp::transpose:
      return transpose_mode;
    default:
      return adjoint_mode;
  }
}

// A public function whose last argument is the handle of an operator.
template <class Body>
arr_status make_linop(const char* function, arr_linop* out, Body&& body) noexcept {
  return guard(function, [&] {
    check_pointer(out, "out");
    publish<LinearOperator>(body(), out);
  });
}

}  // namespace arr::capi
