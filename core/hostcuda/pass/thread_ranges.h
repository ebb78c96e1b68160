// SPDX-License-Identifier: MIT
// The guards a kernel begins with, as in `if (x >= w || y >= h) return`, become the bounds of the loops over
// its threads. The threads that such a guard would let through form a box, along each axis from `first` to
// `last`. So a loop over them has no condition, and what follows an early return is the same for all threads.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace arr_fission {

struct ThreadRanges {
  bool any = false;
  llvm::Value *first[3] = {}, *last[3] = {};  // last excluded; no thread where it is not above first
  std::vector<llvm::Instruction*> code;       // computes them, in the function's entry block
};

// Takes the guards out of the function, before it is cut. Threads outside of the box have ended.
ThreadRanges take_guards(llvm::Function& function);

// Moves the computation to where `b` inserts. Returns whether any thread is in the box.
llvm::Value* compute_ranges(const ThreadRanges& ranges, llvm::IRBuilder<>& b);

}  // namespace arr_fission
