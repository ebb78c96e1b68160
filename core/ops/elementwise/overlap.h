// SPDX-License-Identifier: MIT
// Operands that share memory with the destination of a call.
#pragma once

#include <vector>

#include "ops/elementwise/elementwise.h"

namespace arr {

// True if an operand would be read after the call has written it: it overlaps the destination, but not
// exactly.
bool overlaps(const Array& dst, const Input& in);

// The operands of a call, with copies of those that overlap its destination.
class OverlapCopies {
 public:
  OverlapCopies(const Array& dst, std::span<const Input> inputs, const Queue& q);
  [[nodiscard]] std::span<const Input> inputs() const { return inputs_; }

 private:
  std::vector<Input> inputs_;
  std::vector<Ref<Array>> copies_;
};

}  // namespace arr
