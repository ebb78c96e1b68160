// SPDX-License-Identifier: MIT
// Arguments of functions that reduce: the number of a reduction, options, axes.
#pragma once

#include "arr/reduce_options.h"
#include "capi/src/arguments.h"
#include "ops/reduce/reduce.h"

namespace arr::capi {

inline const arr::ReductionInfo& reduction_argument(int32_t number) {
  const arr::ReductionInfo* r = arr::reduction_info(number);
  if (r == nullptr || r->form == arr::ReduceForm::HIDDEN) {
    arr::fail(ARR_E_ARGUMENT, "argument reduction: ", number, " is not a reduction number");
  }
  return *r;
}

// The options of a call. Keeps the mask's array alive.
struct Options {
  explicit Options(const arr_reduce_options* given) : where(pin(given)) {
    if (given == nullptr) return;
    if (given->dtype != 0) core.dtype = arr::dtype_from(given->dtype, "options");
    if (given->initial != nullptr) {
      core.initial = scalar_argument(given->initial, "options");
      core.initial_weak = is_weak(*given->initial);
    }
    core.correction = given->correction;
    core.where = where.get();
  }
  arr::Pinned<arr::Array> where;
  arr::ReduceOptions core;

 private:
  static arr::Pinned<arr::Array> pin(const arr_reduce_options* given) {
    if (given == nullptr) return {0, nullptr};
    check_size(*given, "options");
    if (given->where == nullptr) return {0, nullptr};
    return array(given->where, "options");
  }
};

inline uint32_t mask_of(const arr::Array& a, int32_t naxes, const int32_t* axes) {
  return arr::axis_mask(a.layout.ndim, naxes, axes);
}

}  // namespace arr::capi
