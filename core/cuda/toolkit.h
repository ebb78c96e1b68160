// SPDX-License-Identifier: MIT
// The CUDA toolkit's folder and what is read from it.
#pragma once

#include <string>

namespace arr::cuda {

// The toolkit that CUDA_PATH or CUDA_HOME names, or that nvJitLink or NVRTC was opened from, or
// /usr/local/cuda; empty where none of them is a folder.
std::string toolkit_folder();

}  // namespace arr::cuda
