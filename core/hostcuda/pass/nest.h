// SPDX-License-Identifier: MIT
// The loops over the threads of a block around one piece of a kernel.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include "rows.h"

namespace arr_fission {

struct Nest {
  llvm::BasicBlock *z_head, *y_head, *x_head, *body, *x_latch, *y_latch, *z_latch, *after;
  llvm::Value *z, *y, *x;
  llvm::Value* lane;    // in a strip
  llvm::Value* thread;  // its number in the block or strip, 64 bits wide
};

// Loops z, y, x in blocks of `size` from `first` on to `last`, entered from `from`. The body ends at x_latch;
// close_nest completes them, and marks the x loop as free of dependences between the accesses of `group`.
Nest open_nest(llvm::Function& function, llvm::BasicBlock* from, llvm::Value* const size[3],
               llvm::Value* const first[3]);
void close_nest(const Nest& nest, llvm::Value* const last[3], llvm::MDNode* group);

// The same of one loop, over the threads of a strip of `rows`.
Nest open_strip(llvm::Function& function, llvm::BasicBlock* from, const Rows& rows);
void close_strip(const Nest& nest, llvm::Value* count, llvm::MDNode* group);

}  // namespace arr_fission
