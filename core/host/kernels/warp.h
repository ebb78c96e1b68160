// SPDX-License-Identifier: MIT
// Warp functions: when all lanes have come, what each receives.
#pragma once

#include "host/kernels/scheduler.h"

namespace arr::host_kernels {

// When every live lane of `mask` waits in the same warp function with the same mask: computes each lane's
// result, makes the lanes runnable and returns true.
bool complete_warp(arr_host::Worker&, int warp, uint32_t mask);

}  // namespace arr::host_kernels
