// SPDX-License-Identifier: MIT
// Parts of the fake cuSOLVER that its files share.
#pragma once

#include "lapack.h"

namespace arr::fake {

struct SolverHandle {
  CUstream stream = nullptr;
};

// Results of a query: sizes that differ by function and extents, so that a caller who mixes them up shows.
inline cusolverStatus_t report_sizes(int64_t n, cudaDataType type, size_t* device_bytes, size_t* host_bytes) {
  *device_bytes = static_cast<size_t>(64 + n * bytes_of(type));
  *host_bytes = static_cast<size_t>(16 + n);
  return CUSOLVER_STATUS_SUCCESS;
}
inline bool sizes_fit(int64_t n, cudaDataType type, const void* device_work, size_t device_bytes,
                      const void* host_work, size_t host_bytes) {
  size_t device = 0, host = 0;
  report_sizes(n, type, &device, &host);
  return device_bytes >= device && host_bytes >= host && host_work != nullptr &&
         on_device(reinterpret_cast<uintptr_t>(device_work), device);
}
inline bool info_fits(const int* info) { return on_device(reinterpret_cast<uintptr_t>(info), sizeof(int)); }

// Puts work into the handle's stream.
template <class F>
cusolverStatus_t submit(cusolverDnHandle_t handle, bool valid, F&& work) {
  if (!valid) return CUSOLVER_STATUS_INVALID_VALUE;
  Stream* s = stream_of(reinterpret_cast<SolverHandle*>(handle)->stream);
  if (s == nullptr) return CUSOLVER_STATUS_EXECUTION_FAILED;
  if (s->capture != nullptr) return CUSOLVER_STATUS_NOT_SUPPORTED;
  enqueue(*s, std::forward<F>(work));
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace arr::fake
