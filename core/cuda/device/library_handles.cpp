// SPDX-License-Identifier: MIT
// Creates a stream's handles of cuBLAS, cuSOLVER and cuSPARSE.
#include "cuda/device/library_handles.h"

namespace arr::cuda {

cublasHandle_t blas_handle(Stream& s) {
  const Cublas& b = cublas();
  if (s.blas != nullptr) return s.blas;
  cublasHandle_t fresh = nullptr;
  if (cublasStatus_t r = b.cublasCreate_v2(&fresh); r != CUBLAS_STATUS_SUCCESS) {
    fail(r == CUBLAS_STATUS_ALLOC_FAILED ? ARR_E_MEMORY : ARR_E_DEVICE,
         "cublasCreate: ", b.cublasGetStatusName(r));
  }
  if (cublasStatus_t r = b.cublasSetStream_v2(fresh, s.handle); r != CUBLAS_STATUS_SUCCESS) {
    b.cublasDestroy_v2(fresh);
    fail(ARR_E_DEVICE, "cublasSetStream: ", b.cublasGetStatusName(r));
  }
  s.blas = fresh;
  return fresh;
}

Solver solver_handle(Stream& s) {
  if (s.solver.handle != nullptr) return s.solver;
  const Cusolver& library = cusolver();
  Solver fresh;
  const char* function = "cusolverDnCreate";
  cusolverStatus_t r = library.cusolverDnCreate(&fresh.handle);
  if (r == CUSOLVER_STATUS_SUCCESS) {
    function = "cusolverDnSetStream";
    r = library.cusolverDnSetStream(fresh.handle, s.handle);
    if (r == CUSOLVER_STATUS_SUCCESS) {
      function = "cusolverDnCreateParams";
      r = library.cusolverDnCreateParams(&fresh.params);
    }
    if (r != CUSOLVER_STATUS_SUCCESS) library.cusolverDnDestroy(fresh.handle);
  }
  if (r != CUSOLVER_STATUS_SUCCESS) {
    fail(r == CUSOLVER_STATUS_ALLOC_FAILED ? ARR_E_MEMORY : ARR_E_DEVICE, function, ": cuSOLVER's status ",
         r);
  }
  s.solver = fresh;
  return fresh;
}

cusparseHandle_t sparse_handle(Stream& s) {
  const Cusparse& c = cusparse();
  if (s.sparse != nullptr) return s.sparse;
  cusparseHandle_t fresh = nullptr;
  const char* function = "cusparseCreate";
  cusparseStatus_t r = c.cusparseCreate(&fresh);
  if (r == CUSPARSE_STATUS_SUCCESS) {
    function = "cusparseSetStream";
    r = c.cusparseSetStream(fresh, s.handle);
    if (r != CUSPARSE_STATUS_SUCCESS) c.cusparseDestroy(fresh);
  }
  if (r != CUSPARSE_STATUS_SUCCESS) {
    fail(r == CUSPARSE_STATUS_ALLOC_FAILED ? ARR_E_MEMORY : ARR_E_DEVICE, function, ": ",
         c.cusparseGetErrorName(r));
  }
  s.sparse = fresh;
  return fresh;
}

}  // namespace arr::cuda
