// SPDX-License-Identifier: MIT
// Switches on a thread's index, such as LLVM makes of `if (threadIdx.x == 0)` and `if (threadIdx.x == 31)`,
// become chains of comparisons again, which the passes over loops of threads and the vectoriser know.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

namespace arr_fission {

// Lowers those of few cases in loops over threads. True if there were any: then what is known of the
// function's loops has changed.
bool lower_switches(llvm::Function& function, const llvm::LoopInfo& loops);

}  // namespace arr_fission
