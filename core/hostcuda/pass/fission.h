// SPDX-License-Identifier: MIT
// Cuts a kernel at its barriers, so that each piece can run for all threads of a block before the next
// begins.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <string>
#include <vector>

#include "divergence.h"
#include "markers.h"
#include "rows.h"
#include "thread_ranges.h"

namespace arr_fission {

// A point where every thread stops (`at` ends with it) before one goes on (`after` begins there).
struct Cut {
  llvm::BasicBlock *at, *after;
  Marker kind;
  unsigned operation, line;  // of a warp function or barrier, for messages
  int region = 0;            // the number of the piece that begins at `after`; 0 is the kernel's beginning
  bool divergent = false;    // not all threads get here, or not at the same time
};

// A kernel, cut, and ready to be laid out as loops.
struct Pieces {
  std::vector<Cut> cuts;
  // Variables that live across a cut, as stack slots: true where each thread needs its own.
  std::map<llvm::AllocaInst*, bool> slots;
  // Some cut is divergent: each thread keeps the number of the piece it is to run next.
  bool masked = false;
  llvm::AllocaInst* masks =
      nullptr;  // the slot of the masks that threads gave to warp functions, when masked
  ThreadRanges ranges;
  // The threads wait for no others: all cuts are `interchange`s, and the rows run one after the other.
  bool alone = false;
  Strips strips;       // of such a kernel
  bool joins = false;  // neighbouring blocks can be one loop; see block_runs.h
};

// "" or the reason why a loop form is not possible; then the function must not be used any more.
std::string cut_kernel(llvm::Function& function, Pieces& pieces);

// Writes the pieces as loops over the threads of a block. See loops.cpp.
void lay_out(llvm::Function& function, const Pieces& pieces);

}  // namespace arr_fission
