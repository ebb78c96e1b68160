// SPDX-License-Identifier: MIT
// Matrix products.
#include "host/host.h"

namespace arr::host {

bool blas_report(std::string*) { return false; }
void matmul(const MatmulCall&) { fail(ARR_E_UNSUPPORTED, "the host has no matrix products yet"); }

}  // namespace arr::host
