// SPDX-License-Identifier: MIT
// The operands of linear equations.
#pragma once

#include "ops/linalg/lapack_call.h"

namespace arr {

// a and b in one dtype, b as matrices, and the batch shape to which both broadcast.
struct Equations {
  // unknowns: the number of rows that b must have; name: a's name in errors.
  Equations(const Array& a, const Array& b, int64_t unknowns, Stream* stream, const char* name = "a");
  // The result with the shape for the caller.
  [[nodiscard]] Ref<Array> visible(const Ref<Array>& x) const;
  // A right-hand side without columns gets one, so that a singular matrix is an error as with any other.
  [[nodiscard]] Ref<Array> one_column(Stream* stream) const;
  [[nodiscard]] Shape batch() const { return {all.shape, static_cast<size_t>(all.ndim)}; }
  // Sets the sizes and operands of a call and runs it. Returns x.
  Ref<Array> run(LapackCall* job) const;

  Ref<Array> a, b;
  DType dtype = DType::none;
  bool vector = false;
  int64_t n = 0, k = 0;
  Layout all;
};

}  // namespace arr
