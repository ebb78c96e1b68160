// SPDX-License-Identifier: MIT
// Parts that the files of the fake cuBLAS and cuBLASLt share.
#pragma once

#include <complex>

#include "lapack.h"

namespace arr::fake {

struct BlasHandle {
  CUstream stream = nullptr;
  const void* workspace = nullptr;
  size_t bytes = 0;  // of the workspace that was given, else 0
};

// Puts work into the handle's stream. Every function of a handle works with a workspace that it was given.
template <class F>
cublasStatus_t submit(cublasHandle_t handle, bool valid, F&& work) {
  const auto& h = *reinterpret_cast<BlasHandle*>(handle);
  if (!valid || h.bytes == 0 || !on_device(reinterpret_cast<uintptr_t>(h.workspace), h.bytes)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  Stream* s = stream_of(h.stream);
  if (s == nullptr) return CUBLAS_STATUS_EXECUTION_FAILED;
  enqueue(*s, std::forward<F>(work));
  return CUBLAS_STATUS_SUCCESS;
}

struct Gemm {
  cublasOperation_t transa, transb;
  int m, n, k;
  const char* a;
  int lda;
  long long stridea;
  const char* b;
  int ldb;
  long long strideb;
  char* c;
  int ldc;
  long long stridec;
  int count;
  std::complex<double> alpha, beta;
};

// By OpenBLAS.
CUresult run_gemm(const Gemm& g, cudaDataType type);
bool valid(const Gemm& g);
bool goes_with(cublasComputeType_t compute, cudaDataType type);
std::complex<double> scale(const void* p, cublasComputeType_t compute, cudaDataType type);

}  // namespace arr::fake

extern "C" const char* cublasGetStatusName(arr::cuda::cublasStatus_t status);
