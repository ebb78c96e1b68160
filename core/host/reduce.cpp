// SPDX-License-Identifier: MIT
// Reductions.
#include "host/host.h"

namespace arr::host {

void reduce(const ReduceCall&) { fail(ARR_E_UNSUPPORTED, "the host has no reductions yet"); }

}  // namespace arr::host
