// SPDX-License-Identifier: MIT
// Parts of a kernel's new form that do not depend on how its pieces are laid out.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <vector>

namespace arr_fission {

struct Pieces;

std::vector<llvm::BasicBlock*> copy_blocks(const std::vector<llvm::BasicBlock*>& blocks, int region,
                                           llvm::ValueToValueMapTy& values);

// Operation and line of the cut before each piece, for the message when threads wait for each other.
llvm::GlobalVariable* cut_sites(llvm::Module& module, const Pieces& pieces);

// True if all lanes take part in the warp function of a cut, whose mask is stored right before its block.
bool has_full_mask(const llvm::BasicBlock& at, const llvm::AllocaInst* masks);

// With line information every call must be somewhere: ours are where the kernel begins.
void place_calls(llvm::Function& function);

}  // namespace arr_fission
