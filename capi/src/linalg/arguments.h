// SPDX-License-Identifier: MIT
// Arguments that functions of several headers of linear algebra take.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "capi/src/arguments.h"
#include "ops/linalg/gemm.h"
#include "ops/linalg/lapack_call.h"

namespace arr::capi {

inline OnFailure failure_argument(int32_t given) {
  if (given != ARR_LINALG_ERROR && given != ARR_LINALG_NAN) {
    fail(ARR_E_ARGUMENT, "argument on_failure: ", given, ", expected ARR_LINALG_ERROR or ARR_LINALG_NAN");
  }
  return static_cast<OnFailure>(given);
}

inline LinalgOp op_argument(int32_t given) {
  switch (given) {
    case ARR_MATRIX_PLAIN:
      return LinalgOp::none;
    case ARR_MATRIX_TRANSPOSED:
      return LinalgOp::transpose;
    case ARR_MATRIX_ADJOINT:
      return LinalgOp::adjoint;
    default:
      fail(ARR_E_ARGUMENT, "argument op: ", given, ", expected one of ARR_MATRIX_...");
  }
}

// The number that scales an operand; none for NULL.
inline std::optional<Factor> factor_argument(const arr_value* value, const char* argument) {
  if (value == nullptr) return {};
  return Factor{scalar_argument(value, argument), is_weak(*value)};
}

// Publishes several new arrays, each under its own handle, or none of them. An array without an address for
// its handle is not wanted.
inline void put_all(std::vector<Ref<Array>> arrays, std::initializer_list<arr_array*> outputs) {
  arr_array made[4] = {};
  size_t kept = 0, given = 0;
  for (const arr_array* output : outputs) {
    Ref<Array> a = std::move(arrays[given++]);
    if (output != nullptr) arrays[kept++] = std::move(a);
  }
  arrays.resize(kept);
  publish_all(std::move(arrays), made);
  const arr_array* next = made;
  for (arr_array* output : outputs) {
    if (output != nullptr) *output = *next++;
  }
}

}  // namespace arr::capi
