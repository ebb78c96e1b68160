// SPDX-License-Identifier: MIT
// Counters of loops with barriers that start at another number in each thread and grow by the same in all:
// they become start + steps, so that only `start` differs. It is computed again where it is needed, and
// addresses stay visibly contiguous.
#pragma once

#include <llvm/IR/Function.h>

#include "divergence.h"

namespace arr_fission {

// Before the kernel is cut. `divergence` is up to date, and is again afterwards.
void share_steps(llvm::Function& function, Divergence& divergence);

}  // namespace arr_fission
