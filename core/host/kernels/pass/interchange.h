// SPDX-License-Identifier: MIT
// Exchanges the loop over a block's threads with an innermost loop of the kernel, so that in each of its
// steps neighbouring threads touch neighbouring memory: what makes a grid-stride loop run at a plain loop's
// speed.
#pragma once

#include <llvm/IR/Function.h>

#include "divergence.h"

namespace arr_fission {

// Puts a cut at the head of each loop for which that is right and pays, and one behind it. Its counters
// i = start + step * k, which differ between threads by `start`, are computed from a common k.
void interchange(llvm::Function& function, Divergence& divergence);

}  // namespace arr_fission
