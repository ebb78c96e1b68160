// SPDX-License-Identifier: MIT
// The loops over the threads of a block around one piece of a kernel.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace arr_fission {

struct Nest {
  llvm::BasicBlock *z_head, *y_head, *x_head, *body, *x_latch, *y_latch, *z_latch, *after;
  llvm::PHINode *z, *y, *x;
  llvm::Value* thread;  // its number in the block, 64 bits wide
};

// Loops z, y, x over `size`, x from `first` on to `last`, entered from `from`. The body ends at x_latch;
// close_nest completes them, and marks the x loop as free of dependences between the accesses of `group`.
Nest open_nest(llvm::Function& function, llvm::BasicBlock* from, llvm::Value* const size[3],
               llvm::Value* first);
void close_nest(const Nest& nest, llvm::Value* const size[3], llvm::Value* last, llvm::MDNode* group);

}  // namespace arr_fission
