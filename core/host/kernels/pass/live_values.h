// SPDX-License-Identifier: MIT
// Values that are computed before a cut of a kernel and needed after it. Cheap index arithmetic is computed
// again, which also keeps addresses visibly affine. Other values, and local arrays, are stored: once for all
// threads if they agree on the value, else once per thread.
#pragma once

#include "fission.h"

namespace arr_fission {

// Cheap index arithmetic is computed again, which also keeps addresses visibly affine; the rest gets a slot:
// one for all threads where they agree on the value, else one per thread. So do local arrays.
void carry_values(llvm::Function& function, Divergence& divergence, Pieces& pieces);

}  // namespace arr_fission
