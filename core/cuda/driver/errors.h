// SPDX-License-Identifier: MIT
// The meaning of the driver's errors: their status, and which of them poison a context.
#pragma once

#include "arr/base.h"
#include "cuda/driver/api_types.h"

namespace arr::cuda {

constexpr int32_t status_of(CUresult r) noexcept {
  switch (r) {
    case CUDA_SUCCESS:
      return ARR_OK;
    case CUDA_ERROR_OUT_OF_MEMORY:
      return ARR_E_MEMORY;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_STUB_LIBRARY:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_SYSTEM_NOT_READY:
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
      return ARR_E_UNAVAILABLE;
    case CUDA_ERROR_INVALID_DEVICE:
      return ARR_E_ARGUMENT;
    case CUDA_ERROR_NOT_SUPPORTED:
      return ARR_E_UNSUPPORTED;
    default:
      return ARR_E_DEVICE;
  }
}

// After one of these every call on the context fails.
constexpr bool poisons(CUresult r) noexcept {
  switch (r) {
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_TENSOR_MEMORY_LEAK:
    case CUDA_ERROR_EXTERNAL_DEVICE:
      return true;
    default:
      return false;
  }
}

}  // namespace arr::cuda
