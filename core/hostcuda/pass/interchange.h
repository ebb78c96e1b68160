// SPDX-License-Identifier: MIT
// Exchanges the loop over a block's threads with an innermost loop of the kernel, so that in each iteration
// neighbouring threads access neighbouring memory. A grid-stride loop then runs as fast as a plain loop.
#pragma once

#include <llvm/IR/Function.h>

#include "divergence.h"

namespace arr_fission {

// Adds a cut at the head of each loop for which that is correct and worthwhile, and one after the loop. Its
// counters i = start + step * k, which differ between threads by `start`, are computed from a common k.
// `alone`: the threads of the kernel wait for no others.
void interchange(llvm::Function& function, Divergence& divergence, bool alone);

}  // namespace arr_fission
