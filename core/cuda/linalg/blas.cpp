// SPDX-License-Identifier: MIT
// Calls of cuBLAS: their workspace and their failures.
#include "cuda/linalg/blas.h"

#include "cuda/device/library_handles.h"

namespace arr::cuda {

void check_blas(Device& d, cublasStatus_t r, const char* function, Stream& s, const char* status) {
  if (r == CUBLAS_STATUS_SUCCESS) return;
  // cuBLAS hides the driver's error; a poisoned context returns it again.
  CUresult state = driver().cuStreamQuery(s.handle);
  if (state != CUDA_ERROR_NOT_READY) d.check(state, function, &s);
  fail(r == CUBLAS_STATUS_ALLOC_FAILED    ? ARR_E_MEMORY
       : r == CUBLAS_STATUS_NOT_SUPPORTED ? ARR_E_UNSUPPORTED
                                          : ARR_E_DEVICE,
       function, ": ", status != nullptr ? status : cublas().cublasGetStatusName(r));
}

int64_t blas_workspace(const Device& d) {
  constexpr int64_t mebi = 1 << 20;
  return (d.limits.arch >= 120 ? 12 : d.limits.arch >= 90 ? 32 : 4) * mebi;
}

BlasCall::BlasCall(Device& d, Stream& s)
    : stream_(s), workspace_(d, s, blas_workspace(d)), lock_(s.mutex), handle_(blas_handle(s)) {
  const auto bytes = static_cast<size_t>(blas_workspace(d));
  check_blas(d, cublas().cublasSetWorkspace_v2(handle_, workspace_.data(), bytes), "cublasSetWorkspace", s);
}
BlasCall::~BlasCall() {
  // This resets the workspace. A failure here is reported by the next call.
  static_cast<void>(cublas().cublasSetStream_v2(handle_, stream_.handle));
}

}  // namespace arr::cuda
