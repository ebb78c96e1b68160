// SPDX-License-Identifier: MIT
// Small steps of the loop form that do not depend on how a kernel's pieces are laid out.
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

// Makes a table with the operation and line of the cut before each piece, for the message about a deadlock.
llvm::GlobalVariable* cut_sites(llvm::Module& module, const Pieces& pieces);

// True if all lanes take part in the warp function of a cut, whose mask is stored right before its block.
bool has_full_mask(const llvm::BasicBlock& at, const llvm::AllocaInst* masks);

// Gives calls without a location the kernel's first line: with line information every call needs one.
void place_calls(llvm::Function& function);

}  // namespace arr_fission
