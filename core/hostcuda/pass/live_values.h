// SPDX-License-Identifier: MIT
// Values that are computed before a cut of a kernel and needed after it.
#pragma once

#include "fission.h"

namespace arr_fission {

// Computes cheap index arithmetic again, which also keeps addresses visibly affine. Stores other values and
// local arrays: once for all threads if they agree on the value, else once per thread.
void carry_values(llvm::Function& function, Divergence& divergence, Pieces& pieces);

}  // namespace arr_fission
