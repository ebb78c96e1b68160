// SPDX-License-Identifier: MIT
// Calls of cuBLAS: their workspace and their failures.
#pragma once

#include <mutex>

#include "cuda/device/scratch.h"

namespace arr::cuda {

// Throws for a failed call of cuBLAS or cuBLASLt, with the driver's error.
void check_blas(Device& d, cublasStatus_t r, const char* function, Stream& s, const char* status = nullptr);
// The workspace size of cuBLAS and cuBLASLt that NVIDIA recommends for the architecture.
int64_t blas_workspace(const Device& d);

// The stream's cuBLAS for one function, with a workspace of the pool and the stream's lock. Users may have
// the handle too (arr_library_handle): afterwards it has cuBLAS's own workspace again.
class BlasCall {
 public:
  BlasCall(Device& d, Stream& s);
  ~BlasCall();
  BlasCall(const BlasCall&) = delete;
  BlasCall& operator=(const BlasCall&) = delete;
  [[nodiscard]] cublasHandle_t handle() const { return handle_; }

 private:
  Stream& stream_;
  const Scratch workspace_;
  const std::lock_guard<std::mutex> lock_;
  cublasHandle_t handle_;
};

}  // namespace arr::cuda
