// SPDX-License-Identifier: MIT
// Warnings about threads that exchange values through shared memory with no barrier between.
#pragma once

#include <llvm/IR/Function.h>

namespace arr_fission {

// Such a kernel relies on warps that run in step. A GPU does not promise that since Volta, and the loops over
// threads do not have it. Prints a warning to the compiler's log per variable, with the lines of both
// accesses where the source is compiled with line numbers. Says nothing where it cannot decide: addresses are
// compared as sums of a part that differs between threads and a common part.
void warn_of_exchanges(llvm::Function& function);

}  // namespace arr_fission
