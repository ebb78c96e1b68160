// SPDX-License-Identifier: MIT
// The CUDA toolkit's folder and the files that are read from it.
#pragma once

#include <string>

namespace arr::cuda {

// The toolkit that CUDA_PATH or CUDA_HOME names, or that nvJitLink or NVRTC was opened from, or
// /usr/local/cuda; empty if none of them is a folder.
std::string toolkit_folder();

// libcudadevrt.a, which code with kernels that launch kernels is linked with: beside nvJitLink or NVRTC, or
// in the toolkits that are known, or at ARR_CUDA_CUDADEVRT. ARR_E_UNAVAILABLE with the paths that were
// tried.
struct Archive {
  std::string path, bytes;
};
Archive device_runtime();

}  // namespace arr::cuda
