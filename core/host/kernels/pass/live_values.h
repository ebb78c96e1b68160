// SPDX-License-Identifier: MIT
// What a kernel needs behind a cut of what it computed before it.
#pragma once

#include "fission.h"

namespace arr_fission {

// Cheap index arithmetic is computed again, which also keeps addresses visibly affine; the rest gets a slot:
// one for all threads where they agree on the value, else one per thread. So do local arrays.
void carry_values(llvm::Function& function, Divergence& divergence, Pieces& pieces);

}  // namespace arr_fission
