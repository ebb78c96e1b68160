// SPDX-License-Identifier: MIT
// Distances in memory between neighbouring threads of a row. They decide if the loop over a row is the
// innermost one.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include <optional>

#include "divergence.h"

namespace arr_fission {

class Strides {
 public:
  Strides(const llvm::Function& function, const Divergence& divergence)
      : function_(function), divergence_(divergence) {}

  // True if it pays to run each iteration of an innermost loop for all threads of a row before the next:
  // vectors of threads then access contiguous memory, or the compiler cannot make vectors of the loop itself.
  // `alone`: the threads wait for no others, so that a few of them can go through the loop at a time.
  [[nodiscard]] bool are_threads_better_inside(const llvm::Loop& loop, bool alone) const;

 private:
  [[nodiscard]] std::optional<int64_t> step(const llvm::Value* value, const llvm::Loop& loop,
                                            unsigned depth = 0) const;
  [[nodiscard]] std::optional<int64_t> step_of_address(const llvm::Instruction& address,
                                                       const llvm::Loop& loop, unsigned depth) const;
  [[nodiscard]] bool is_contiguous(const llvm::Instruction& access, const llvm::Loop& loop) const;
  [[nodiscard]] bool carries_in_order(const llvm::Loop& loop) const;

  const llvm::Function& function_;
  const Divergence& divergence_;
};

}  // namespace arr_fission
