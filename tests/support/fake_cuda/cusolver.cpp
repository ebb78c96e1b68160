// SPDX-License-Identifier: MIT
// The fake cuSOLVER: handles, LU, Cholesky and QR by LAPACK, in the order of the handle's stream.
#include <algorithm>

#include "cusolver.h"

namespace arr::fake {
namespace {

// Columns of Q, of which LAPACK has "orgqr" and "ungqr".
template <class T>
cusolverStatus_t make_q(cusolverDnHandle_t handle, const char* name, int m, int n, int k, void* a, int lda,
                        const void* tau, const void* work, int lwork, int* info) {
  const bool valid = k >= 0 && n >= k && m >= n && matrix_on_device(a, m, n, lda, sizeof(T)) &&
                     matrix_on_device(tau, k, 1, m, sizeof(T)) && info_fits(info) && lwork >= 11 + n &&
                     on_device(reinterpret_cast<uintptr_t>(work), static_cast<size_t>(lwork) * sizeof(T));
  return submit(handle, valid, [=] {
    const int room = std::max(64 * n, 1);
    std::vector<T> space(static_cast<size_t>(room));
    return lapack<T>(name, &m, &n, &k, a, &lda, tau, space.data(), &room, info);
  });
}

cusolverStatus_t query_product(cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, int k,
                               const void* a, int lda, const void* tau, const void* c, int ldc, int* lwork) {
  if (handle == nullptr || side != CUBLAS_SIDE_LEFT || k > m || lda < m || ldc < m || a == nullptr ||
      tau == nullptr || c == nullptr)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *lwork = 13 + n;
  return CUSOLVER_STATUS_SUCCESS;
}

// Q or its adjoint from the left, of which LAPACK has "ormqr" and "unmqr".
template <class T>
cusolverStatus_t multiply_by_q(cusolverDnHandle_t handle, const char* name, cublasSideMode_t side,
                               cublasOperation_t op, int m, int n, int k, const void* a, int lda,
                               const void* tau, void* c, int ldc, const void* work, int lwork, int* info) {
  const bool adjoint = op == (std::is_floating_point_v<T> ? CUBLAS_OP_T : CUBLAS_OP_C);
  const bool valid = side == CUBLAS_SIDE_LEFT && (adjoint || op == CUBLAS_OP_N) && k >= 0 && m >= k &&
                     matrix_on_device(a, m, k, lda, sizeof(T)) && matrix_on_device(c, m, n, ldc, sizeof(T)) &&
                     matrix_on_device(tau, k, 1, m, sizeof(T)) && info_fits(info) && lwork >= 13 + n &&
                     on_device(reinterpret_cast<uintptr_t>(work), static_cast<size_t>(lwork) * sizeof(T));
  return submit(handle, valid, [=] {
    const char trans = !adjoint ? 'N' : std::is_floating_point_v<T> ? 'T' : 'C';
    const int room = std::max(64 * (n + k + 65), 1);
    std::vector<T> space(static_cast<size_t>(room));
    return lapack<T>(name, "L", &trans, &m, &n, &k, a, &lda, tau, c, &ldc, space.data(), &room, info);
  });
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

cusolverStatus_t cusolverGetProperty(libraryPropertyType property, int* value) {
  ARR_FAKE_ENTER(cusolverGetProperty);
  *value = property == 0 ? 12 : 0;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  ARR_FAKE_ENTER(cusolverDnCreate);
  if (current() == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  *handle = reinterpret_cast<cusolverDnHandle_t>(new SolverHandle);
  ++live().handles;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  ARR_FAKE_ENTER(cusolverDnDestroy);
  delete reinterpret_cast<SolverHandle*>(handle);
  --live().handles;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  ARR_FAKE_ENTER(cusolverDnSetStream);
  reinterpret_cast<SolverHandle*>(handle)->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params) {
  ARR_FAKE_ENTER(cusolverDnCreateParams);
  *params = reinterpret_cast<cusolverDnParams_t>(new int);
  ++live().handles;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  ARR_FAKE_ENTER(cusolverDnDestroyParams);
  delete reinterpret_cast<int*>(params);
  --live().handles;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                             int64_t n, cudaDataType atype, const void* a, int64_t lda,
                                             cudaDataType compute, size_t* device_bytes, size_t* host_bytes) {
  ARR_FAKE_ENTER(cusolverDnXgetrf_bufferSize);
  static_cast<void>(a);
  static_cast<void>(lda);
  if (compute != atype || handle == nullptr || params == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  return report_sizes(3 * m + n, atype, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType atype, void* a, int64_t lda, int64_t* pivots,
                                  cudaDataType compute, void* device_work, size_t device_bytes,
                                  void* host_work, size_t host_bytes, int* info) {
  ARR_FAKE_ENTER(cusolverDnXgetrf);
  const int64_t item = bytes_of(atype), min_mn = std::min(m, n);
  const bool valid = params != nullptr && compute == atype && matrix_on_device(a, m, n, lda, item) &&
                     on_device(reinterpret_cast<uintptr_t>(pivots), static_cast<size_t>(min_mn) * 8) &&
                     sizes_fit(3 * m + n, atype, device_work, device_bytes, host_work, host_bytes) &&
                     info_fits(info);
  return submit(handle, valid, [=] {
    return by_type(atype, [&](auto zero) {
      const int rows = static_cast<int>(m), columns = static_cast<int>(n), ld = static_cast<int>(lda);
      std::vector<int> small(static_cast<size_t>(min_mn));
      const CUresult r = lapack<decltype(zero)>("getrf", &rows, &columns, a, &ld, small.data(), info);
      std::copy(small.begin(), small.end(), pivots);
      return r;
    });
  });
}

cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t op,
                                  int64_t n, int64_t nrhs, cudaDataType atype, const void* a, int64_t lda,
                                  const int64_t* pivots, cudaDataType btype, void* b, int64_t ldb,
                                  int* info) {
  ARR_FAKE_ENTER(cusolverDnXgetrs);
  const int64_t item = bytes_of(atype);
  const bool valid = params != nullptr && btype == atype && matrix_on_device(a, n, n, lda, item) &&
                     matrix_on_device(b, n, nrhs, ldb, item) && info_fits(info) &&
                     on_device(reinterpret_cast<uintptr_t>(pivots), static_cast<size_t>(n) * 8);
  return submit(handle, valid, [=] {
    return by_type(atype, [&](auto zero) {
      const int order = static_cast<int>(n), k = static_cast<int>(nrhs), ld = static_cast<int>(lda),
                to = static_cast<int>(ldb);
      const std::vector<int> small(pivots, pivots + n);
      const char letter_of[] = {'N', 'T', 'C'};
      return lapack<decltype(zero)>("getrs", letter_of + op, &order, &k, a, &ld, small.data(), b, &to, info);
    });
  });
}

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType atype,
                                             const void* a, int64_t lda, cudaDataType compute,
                                             size_t* device_bytes, size_t* host_bytes) {
  ARR_FAKE_ENTER(cusolverDnXpotrf_bufferSize);
  static_cast<void>(a);
  static_cast<void>(lda);
  if (compute != atype || handle == nullptr || params == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  return report_sizes(5 * n + uplo, atype, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType atype, void* a, int64_t lda, cudaDataType compute,
                                  void* device_work, size_t device_bytes, void* host_work, size_t host_bytes,
                                  int* info) {
  ARR_FAKE_ENTER(cusolverDnXpotrf);
  const bool valid =
      params != nullptr && compute == atype && matrix_on_device(a, n, n, lda, bytes_of(atype)) &&
      sizes_fit(5 * n + uplo, atype, device_work, device_bytes, host_work, host_bytes) && info_fits(info);
  return submit(handle, valid, [=] {
    return by_type(atype, [&](auto zero) {
      const int order = static_cast<int>(n), ld = static_cast<int>(lda);
      return lapack<decltype(zero)>("potrf", uplo == CUBLAS_FILL_MODE_LOWER ? "L" : "U", &order, a, &ld,
                                    info);
    });
  });
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                             int64_t n, cudaDataType atype, const void* a, int64_t lda,
                                             cudaDataType tautype, const void* tau, cudaDataType compute,
                                             size_t* device_bytes, size_t* host_bytes) {
  ARR_FAKE_ENTER(cusolverDnXgeqrf_bufferSize);
  static_cast<void>(a);
  static_cast<void>(lda);
  static_cast<void>(tautype);
  static_cast<void>(tau);
  if (compute != atype || handle == nullptr || params == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  return report_sizes(7 * m + 2 * n, atype, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType atype, void* a, int64_t lda, cudaDataType tautype, void* tau,
                                  cudaDataType compute, void* device_work, size_t device_bytes,
                                  void* host_work, size_t host_bytes, int* info) {
  ARR_FAKE_ENTER(cusolverDnXgeqrf);
  const int64_t item = bytes_of(atype);
  const bool valid =
      params != nullptr && compute == atype && tautype == atype && matrix_on_device(a, m, n, lda, item) &&
      matrix_on_device(tau, std::min(m, n), 1, m + n, item) &&
      sizes_fit(7 * m + 2 * n, atype, device_work, device_bytes, host_work, host_bytes) && info_fits(info);
  return submit(handle, valid, [=] {
    return by_type(atype, [&](auto zero) {
      using T = decltype(zero);
      const int rows = static_cast<int>(m), columns = static_cast<int>(n), ld = static_cast<int>(lda);
      const int room = std::max(64 * columns, 1);
      std::vector<T> work(static_cast<size_t>(room));
      return lapack<T>("geqrf", &rows, &columns, a, &ld, tau, work.data(), &room, info);
    });
  });
}

cusolverStatus_t cusolverDnSorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const float* a,
                                             int lda, const float* tau, int* lwork) {
  ARR_FAKE_ENTER(cusolverDnSorgqr_bufferSize);
  if (handle == nullptr || k > n || lda < m || a == nullptr || tau == nullptr)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *lwork = 11 + n;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSorgqr(cusolverDnHandle_t handle, int m, int n, int k, float* a, int lda,
                                  const float* tau, float* work, int lwork, int* info) {
  ARR_FAKE_ENTER(cusolverDnSorgqr);
  return make_q<float>(handle, "orgqr", m, n, k, a, lda, tau, work, lwork, info);
}

cusolverStatus_t cusolverDnDorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const double* a,
                                             int lda, const double* tau, int* lwork) {
  ARR_FAKE_ENTER(cusolverDnDorgqr_bufferSize);
  if (handle == nullptr || k > n || lda < m || a == nullptr || tau == nullptr)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *lwork = 11 + n;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDorgqr(cusolverDnHandle_t handle, int m, int n, int k, double* a, int lda,
                                  const double* tau, double* work, int lwork, int* info) {
  ARR_FAKE_ENTER(cusolverDnDorgqr);
  return make_q<double>(handle, "orgqr", m, n, k, a, lda, tau, work, lwork, info);
}

cusolverStatus_t cusolverDnCungqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,
                                             const cuComplex* a, int lda, const cuComplex* tau, int* lwork) {
  ARR_FAKE_ENTER(cusolverDnCungqr_bufferSize);
  if (handle == nullptr || k > n || lda < m || a == nullptr || tau == nullptr)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *lwork = 11 + n;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCungqr(cusolverDnHandle_t handle, int m, int n, int k, cuComplex* a, int lda,
                                  const cuComplex* tau, cuComplex* work, int lwork, int* info) {
  ARR_FAKE_ENTER(cusolverDnCungqr);
  return make_q<std::complex<float>>(handle, "ungqr", m, n, k, a, lda, tau, work, lwork, info);
}

cusolverStatus_t cusolverDnZungqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,
                                             const cuDoubleComplex* a, int lda, const cuDoubleComplex* tau,
                                             int* lwork) {
  ARR_FAKE_ENTER(cusolverDnZungqr_bufferSize);
  if (handle == nullptr || k > n || lda < m || a == nullptr || tau == nullptr)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *lwork = 11 + n;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnZungqr(cusolverDnHandle_t handle, int m, int n, int k, cuDoubleComplex* a, int lda,
                                  const cuDoubleComplex* tau, cuDoubleComplex* work, int lwork, int* info) {
  ARR_FAKE_ENTER(cusolverDnZungqr);
  return make_q<std::complex<double>>(handle, "ungqr", m, n, k, a, lda, tau, work, lwork, info);
}

cusolverStatus_t cusolverDnSormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                             cublasOperation_t op, int m, int n, int k, const float* a,
                                             int lda, const float* tau, const float* c, int ldc, int* lwork) {
  ARR_FAKE_ENTER(cusolverDnSormqr_bufferSize);
  static_cast<void>(op);
  return query_product(handle, side, m, n, k, a, lda, tau, c, ldc, lwork);
}

cusolverStatus_t cusolverDnSormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op,
                                  int m, int n, int k, const float* a, int lda, const float* tau, float* c,
                                  int ldc, float* work, int lwork, int* info) {
  ARR_FAKE_ENTER(cusolverDnSormqr);
  return multiply_by_q<float>(handle, "ormqr", side, op, m, n, k, a, lda, tau, c, ldc, work, lwork, info);
}

cusolverStatus_t cusolverDnDormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                             cublasOperation_t op, int m, int n, int k, const double* a,
                                             int lda, const double* tau, const double* c, int ldc,
                                             int* lwork) {
  ARR_FAKE_ENTER(cusolverDnDormqr_bufferSize);
  static_cast<void>(op);
  return query_product(handle, side, m, n, k, a, lda, tau, c, ldc, lwork);
}

cusolverStatus_t cusolverDnDormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op,
                                  int m, int n, int k, const double* a, int lda, const double* tau, double* c,
                                  int ldc, double* work, int lwork, int* info) {
  ARR_FAKE_ENTER(cusolverDnDormqr);
  return multiply_by_q<double>(handle, "ormqr", side, op, m, n, k, a, lda, tau, c, ldc, work, lwork, info);
}

cusolverStatus_t cusolverDnCunmqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                             cublasOperation_t op, int m, int n, int k, const cuComplex* a,
                                             int lda, const cuComplex* tau, const cuComplex* c, int ldc,
                                             int* lwork) {
  ARR_FAKE_ENTER(cusolverDnCunmqr_bufferSize);
  static_cast<void>(op);
  return query_product(handle, side, m, n, k, a, lda, tau, c, ldc, lwork);
}

cusolverStatus_t cusolverDnCunmqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op,
                                  int m, int n, int k, const cuComplex* a, int lda, const cuComplex* tau,
                                  cuComplex* c, int ldc, cuComplex* work, int lwork, int* info) {
  ARR_FAKE_ENTER(cusolverDnCunmqr);
  return multiply_by_q<std::complex<float>>(handle, "unmqr", side, op, m, n, k, a, lda, tau, c, ldc, work,
                                            lwork, info);
}

cusolverStatus_t cusolverDnZunmqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                             cublasOperation_t op, int m, int n, int k,
                                             const cuDoubleComplex* a, int lda, const cuDoubleComplex* tau,
                                             const cuDoubleComplex* c, int ldc, int* lwork) {
  ARR_FAKE_ENTER(cusolverDnZunmqr_bufferSize);
  static_cast<void>(op);
  return query_product(handle, side, m, n, k, a, lda, tau, c, ldc, lwork);
}

cusolverStatus_t cusolverDnZunmqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op,
                                  int m, int n, int k, const cuDoubleComplex* a, int lda,
                                  const cuDoubleComplex* tau, cuDoubleComplex* c, int ldc,
                                  cuDoubleComplex* work, int lwork, int* info) {
  ARR_FAKE_ENTER(cusolverDnZunmqr);
  return multiply_by_q<std::complex<double>>(handle, "unmqr", side, op, m, n, k, a, lda, tau, c, ldc, work,
                                             lwork, info);
}

#pragma GCC visibility pop
}
