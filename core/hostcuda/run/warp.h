// SPDX-License-Identifier: MIT
// Warp functions: the arrival of all lanes, and the value that each receives.
#pragma once

#include "hostcuda/run/scheduler.h"

namespace arr::host_kernels {

// Computes each lane's result, makes the lanes runnable and returns true, if every live lane of `mask` waits
// in the same warp function with the same mask.
bool complete_warp(arr_host::Worker&, int warp, uint32_t mask);

// The same of a tile of several warps, when every live thread of it waits in the same function of the tile's;
// `t` is one that waits.
bool complete_tile(arr_host::Worker&, int t);
inline bool is_tile(int op) { return op == arr_host::tile_count || op == arr_host::tile_shuffle; }

}  // namespace arr::host_kernels
