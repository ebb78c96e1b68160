// SPDX-License-Identifier: MIT
// Arguments of functions that read or write at indices.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "capi/src/entry.h"
#include "ops/indexing/index.h"

namespace arr::capi {

// The indices of a call with their arrays, kept alive. A few need no memory from the system.
class Indices {
 public:
  Indices(int32_t n, const arr_index* indices) : n_(n) {
    if (n < 0) fail(ARR_E_ARGUMENT, "argument nindices: ", n, " is negative");
    if (n > 4 * ARR_MAX_NDIM) {
      fail(ARR_E_ARGUMENT, "argument nindices: ", n, ", more than any array takes");
    }
    if (n > 0) check_pointer(indices, "indices");
    if (n > few) {
      more_.resize(static_cast<size_t>(n));
      more_kept_.resize(static_cast<size_t>(n));
    }
    for (int32_t i = 0; i < n; ++i) {
      const arr_index& given = indices[i];
      if (given.flags != 0)
        fail(ARR_E_ARGUMENT, "argument indices: flags ", given.flags,
             ", expected 0; an index is ARR_INDEX(i), ARR_SLICE(start, stop), ARR_ARRAY(a), not a number");
      Index& own = first()[i];
      own = {given.kind, given.start, given.stop, given.step, nullptr};
      if (given.kind != ARR_INDEX_ARRAY) continue;
      Kept& kept = n > few ? more_kept_[static_cast<size_t>(i)] : few_kept_[i];
      kept.emplace(array(given.array, "indices"));
      own.array = kept->get();
    }
  }
  [[nodiscard]] std::span<const Index> all() const {
    return {n_ > few ? more_.data() : few_, static_cast<size_t>(n_)};
  }

 private:
  using Kept = std::optional<Pinned<Array>>;
  static constexpr int32_t few = 4;
  Index* first() { return n_ > few ? more_.data() : few_; }

  const int32_t n_;
  Index few_[few];
  Kept few_kept_[few];
  std::vector<Index> more_;
  std::vector<Kept> more_kept_;
};

// A value to write to an array: an array, or a number in its dtype.
class Written {
 public:
  Written(const arr_value* value, const char* argument, DType dtype) {
    check_pointer(value, argument);
    if (value->kind == ARR_VALUE_ARRAY) {
      operand_.add(value, argument);
      input_ = operand_.inputs()[0];
    } else {
      input_.scalar = scalar_as(value, argument, dtype);
    }
  }
  [[nodiscard]] const Input& input() const { return input_; }

 private:
  Operands operand_;
  Input input_;
};

}  // namespace arr::capi
