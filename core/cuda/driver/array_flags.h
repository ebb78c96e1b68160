// SPDX-License-Identifier: MIT
// Flags of CUDA arrays: what their last extent counts, and what they are for. Macros in the driver's header.
#pragma once

namespace arr::cuda {

inline constexpr unsigned array3d_layered = 1, array3d_cubemap = 4, array3d_gather = 8;

}  // namespace arr::cuda
