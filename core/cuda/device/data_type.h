// SPDX-License-Identifier: MIT
// The names that NVIDIA's libraries have for floating-point and complex types.
#pragma once

#include "array/dtype.h"
#include "cuda/driver/api_types.h"

namespace arr::cuda {

inline cudaDataType data_type(DType d) {
  switch (d) {
    case DType::float16_:
      return CUDA_R_16F;
    case DType::bfloat16_:
      return CUDA_R_16BF;
    case DType::float32_:
      return CUDA_R_32F;
    case DType::float64_:
      return CUDA_R_64F;
    case DType::complex64_:
      return CUDA_C_32F;
    default:
      return CUDA_C_64F;
  }
}

}  // namespace arr::cuda
