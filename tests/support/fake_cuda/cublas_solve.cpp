// SPDX-License-Identifier: MIT
// The fake cuBLAS: triangular solves, and LU of many small matrices.
#include <algorithm>

#include "cublas.h"

namespace arr::fake {
namespace {

constexpr const char* operations[] = {"N", "T", "C"};

template <class T>
cublasStatus_t trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op,
                    cublasDiagType_t diagonal, int m, int n, const void* alpha, const void* a, int lda,
                    void* b, int ldb) {
  const bool valid = side == CUBLAS_SIDE_LEFT && *static_cast<const T*>(alpha) == T(1) &&
                     matrix_on_device(a, m, m, lda, sizeof(T)) && matrix_on_device(b, m, n, ldb, sizeof(T));
  return submit(handle, valid, [=] {
    const T one(1);
    return lapack<T>("trsm", "L", uplo == CUBLAS_FILL_MODE_LOWER ? "L" : "U", operations[op],
                     diagonal == CUBLAS_DIAG_UNIT ? "U" : "N", &m, &n, &one, a, &lda, b, &ldb);
  });
}

bool list_on_device(const void* p, int count, size_t item) {
  return on_device(reinterpret_cast<uintptr_t>(p), static_cast<size_t>(count) * item);
}

template <class T>
cublasStatus_t trsm_all(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                        cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const void* alpha,
                        const void* const* a, int lda, void* const* b, int ldb, int count) {
  const bool valid = side == CUBLAS_SIDE_LEFT && *static_cast<const T*>(alpha) == T(1) && lda >= m &&
                     ldb >= m && list_on_device(a, count, sizeof(void*)) &&
                     list_on_device(b, count, sizeof(void*));
  return submit(handle, valid, [=] {
    const T one(1);
    for (int i = 0; i < count; ++i) {
      if (!matrix_on_device(a[i], m, m, lda, sizeof(T)) || !matrix_on_device(b[i], m, n, ldb, sizeof(T))) {
        return CUDA_ERROR_ILLEGAL_ADDRESS;
      }
      const CUresult r =
          lapack<T>("trsm", "L", uplo == CUBLAS_FILL_MODE_LOWER ? "L" : "U", operations[op],
                    diagonal == CUBLAS_DIAG_UNIT ? "U" : "N", &m, &n, &one, a[i], &lda, b[i], &ldb);
      if (r != CUDA_SUCCESS) return r;
    }
    return CUDA_SUCCESS;
  });
}

template <class T>
cublasStatus_t getrf(cublasHandle_t handle, int n, void* const* a, int lda, int* pivots, int* info,
                     int count) {
  const bool valid = n >= 0 && lda >= n && list_on_device(a, count, sizeof(void*)) &&
                     list_on_device(pivots, n * count, sizeof(int)) &&
                     list_on_device(info, count, sizeof(int));
  return submit(handle, valid, [=] {
    for (int i = 0; i < count; ++i) {
      if (!matrix_on_device(a[i], n, n, lda, sizeof(T))) return CUDA_ERROR_ILLEGAL_ADDRESS;
      if (CUresult r = lapack<T>("getrf", &n, &n, a[i], &lda, pivots + i * n, info + i); r != CUDA_SUCCESS)
        return r;
    }
    return CUDA_SUCCESS;
  });
}

template <class T>
cublasStatus_t getrs(cublasHandle_t handle, cublasOperation_t op, int n, int nrhs, const void* const* a,
                     int lda, const int* pivots, void* const* b, int ldb, int* info, int count) {
  const bool valid = lda >= n && ldb >= n && list_on_device(a, count, sizeof(void*)) &&
                     list_on_device(b, count, sizeof(void*)) &&
                     list_on_device(pivots, n * count, sizeof(int));
  *info = 0;  // on the host
  return submit(handle, valid, [=] {
    int bad = 0;
    for (int i = 0; i < count; ++i) {
      if (!matrix_on_device(b[i], n, nrhs, ldb, sizeof(T))) return CUDA_ERROR_ILLEGAL_ADDRESS;
      const CUresult r =
          lapack<T>("getrs", operations[op], &n, &nrhs, a[i], &lda, pivots + i * n, b[i], &ldb, &bad);
      if (r != CUDA_SUCCESS) return r;
    }
    return CUDA_SUCCESS;
  });
}

template <class T>
cublasStatus_t geqrf(cublasHandle_t handle, int m, int n, void* const* a, int lda, void* const* tau,
                     int* info, int count) {
  const bool valid = m >= 0 && n >= 0 && lda >= std::max(1, m) && list_on_device(a, count, sizeof(void*)) &&
                     list_on_device(tau, count, sizeof(void*));
  *info = 0;  // on the host
  return submit(handle, valid, [=] {
    const int room = std::max(64 * n, 1);
    std::vector<T> work(static_cast<size_t>(room));
    const int min_mn = std::min(m, n);
    int bad = 0;
    for (int i = 0; i < count; ++i) {
      if (!matrix_on_device(a[i], m, n, lda, sizeof(T)) ||
          !matrix_on_device(tau[i], min_mn, 1, min_mn, sizeof(T))) {
        return CUDA_ERROR_ILLEGAL_ADDRESS;
      }
      const CUresult r = lapack<T>("geqrf", &m, &n, a[i], &lda, tau[i], work.data(), &room, &bad);
      if (r != CUDA_SUCCESS) return r;
    }
    return CUDA_SUCCESS;
  });
}

// The arrays of typed addresses, as addresses.
template <class T>
void* const* addresses(T* const* list) {
  return reinterpret_cast<void* const*>(list);
}
template <class T>
const void* const* const_addresses(const T* const* list) {
  return reinterpret_cast<const void* const*>(list);
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

// cuBLAS has each for four types.
#define ARR_FAKE_SOLVES(letter, Given, T)                                                                    \
  cublasStatus_t cublas##letter##trsm_v2(cublasHandle_t handle, cublasSideMode_t side,                       \
                                         cublasFillMode_t uplo, cublasOperation_t op,                        \
                                         cublasDiagType_t diagonal, int m, int n, const Given* alpha,        \
                                         const Given* a, int lda, Given* b, int ldb) {                       \
    ARR_FAKE_ENTER(cublas##letter##trsm_v2);                                                                 \
    return trsm<T>(handle, side, uplo, op, diagonal, m, n, alpha, a, lda, b, ldb);                           \
  }                                                                                                          \
  cublasStatus_t cublas##letter##trsmBatched(                                                                \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op,             \
      cublasDiagType_t diagonal, int m, int n, const Given* alpha, const Given* const a[], int lda,          \
      Given* const b[], int ldb, int nbatch) {                                                               \
    ARR_FAKE_ENTER(cublas##letter##trsmBatched);                                                             \
    return trsm_all<T>(handle, side, uplo, op, diagonal, m, n, alpha, const_addresses(a), lda, addresses(b), \
                       ldb, nbatch);                                                                         \
  }                                                                                                          \
  cublasStatus_t cublas##letter##getrfBatched(cublasHandle_t handle, int n, Given* const a[], int lda,       \
                                              int* pivots, int* info, int nbatch) {                          \
    ARR_FAKE_ENTER(cublas##letter##getrfBatched);                                                            \
    return getrf<T>(handle, n, addresses(a), lda, pivots, info, nbatch);                                     \
  }                                                                                                          \
  cublasStatus_t cublas##letter##geqrfBatched(cublasHandle_t handle, int m, int n, Given* const a[],         \
                                              int lda, Given* const tau[], int* info, int nbatch) {          \
    ARR_FAKE_ENTER(cublas##letter##geqrfBatched);                                                            \
    return geqrf<T>(handle, m, n, addresses(a), lda, addresses(tau), info, nbatch);                          \
  }                                                                                                          \
  cublasStatus_t cublas##letter##getrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int nrhs,  \
                                              const Given* const a[], int lda, const int* pivots,            \
                                              Given* const b[], int ldb, int* info, int nbatch) {            \
    ARR_FAKE_ENTER(cublas##letter##getrsBatched);                                                            \
    return getrs<T>(handle, op, n, nrhs, const_addresses(a), lda, pivots, addresses(b), ldb, info, nbatch);  \
  }
ARR_FAKE_SOLVES(S, float, float)
ARR_FAKE_SOLVES(D, double, double)
ARR_FAKE_SOLVES(C, cuComplex, std::complex<float>)
ARR_FAKE_SOLVES(Z, cuDoubleComplex, std::complex<double>)

#pragma GCC visibility pop
}
