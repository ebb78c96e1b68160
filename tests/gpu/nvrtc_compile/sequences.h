// SPDX-License-Identifier: MIT
// Kernels of sequences of steps over rows, for nvrtc_compile.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace arr::cuda {

// Names and texts.
std::vector<std::pair<std::string, std::string>> sequence_kernels();

}  // namespace arr::cuda
