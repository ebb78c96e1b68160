// SPDX-License-Identifier: MIT
// The fake cuSOLVER: singular values and eigenvalues by LAPACK.
#include <algorithm>

#include "cusolver.h"

namespace arr::fake {
namespace {

int gesvdj_room(int m, int n, int count) { return 7 + 2 * m + 3 * n + count; }

// A LAPACK function's own workspace, generous.
template <class T>
struct Room {
  using Real = typename RealOf<T>::type;
  explicit Room(int64_t n)
      : size(static_cast<int>(n)),
        work(static_cast<size_t>(n)),
        rwork(static_cast<size_t>(n)),
        iwork(static_cast<size_t>(n)) {}
  int size;
  std::vector<T> work;
  std::vector<Real> rwork;
  std::vector<int> iwork;
};

template <class T>
CUresult gesvd(const char* job, int m, int n, void* a, int lda, void* s, void* u, int ldu, void* vt, int ldvt,
               int* info) {
  Room<T> r(64 * (int64_t{m} + n) + 64);
  if constexpr (std::is_same_v<T, typename RealOf<T>::type>) {
    return lapack<T>("gesvd", job, job, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, r.work.data(), &r.size, info);
  } else {
    return lapack<T>("gesvd", job, job, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, r.work.data(), &r.size,
                     r.rwork.data(), info);
  }
}

// As documented: at most 32 rows and columns, all of U and of V, which is no adjoint; U and V have memory
// where they are not asked for too.
template <class T>
cusolverStatus_t gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, void* a, int lda,
                        void* s, void* u, int ldu, void* v, int ldv, void* work, int lwork, int* info,
                        gesvdjInfo_t params, int count) {
  using Real = typename RealOf<T>::type;
  const int min_mn = std::min(m, n);
  const bool valid = params != nullptr && m >= 1 && n >= 1 && m <= 32 && n <= 32 && count >= 1 && lda == m &&
                     ldu == m && ldv == n && matrix_on_device(a, m, int64_t{n} * count, m, sizeof(T)) &&
                     matrix_on_device(s, min_mn, count, min_mn, sizeof(Real)) &&
                     matrix_on_device(u, m, int64_t{m} * count, m, sizeof(T)) &&
                     matrix_on_device(v, n, int64_t{n} * count, n, sizeof(T)) &&
                     lwork >= gesvdj_room(m, n, count) &&
                     on_device(reinterpret_cast<uintptr_t>(work), static_cast<size_t>(lwork) * sizeof(T)) &&
                     matrix_on_device(info, count, 1, count, sizeof(int));
  return submit(handle, valid, [=] {
    const auto square = static_cast<size_t>(n) * static_cast<size_t>(n);
    std::vector<T> vt(square);
    for (int64_t i = 0; i < count; ++i) {
      T* vi = static_cast<T*>(v) + i * n * n;
      const CUresult r = gesvd<T>(jobz == CUSOLVER_EIG_MODE_VECTOR ? "A" : "N", m, n,
                                  static_cast<T*>(a) + i * m * n, m, static_cast<Real*>(s) + i * min_mn,
                                  static_cast<T*>(u) + i * m * m, m, vt.data(), n, info + i);
      if (r != CUDA_SUCCESS) return r;
      for (size_t k = 0; k < square; ++k) {
        const T& from = vt[k % static_cast<size_t>(n) * static_cast<size_t>(n) + k / static_cast<size_t>(n)];
        if constexpr (std::is_same_v<T, Real>) {
          vi[k] = from;
        } else {
          vi[k] = std::conj(from);
        }
      }
    }
    return CUDA_SUCCESS;
  });
}

template <class T>
CUresult syevd(const char* job, const char* uplo, int n, void* a, int lda, void* w, int* info) {
  Room<T> r(8 * int64_t{n} * n + 64 * int64_t{n} + 64);
  if constexpr (std::is_same_v<T, typename RealOf<T>::type>) {
    return lapack<T>("syevd", job, uplo, &n, a, &lda, w, r.work.data(), &r.size, r.iwork.data(), &r.size,
                     info);
  } else {
    return lapack<T>("heevd", job, uplo, &n, a, &lda, w, r.work.data(), &r.size, r.rwork.data(), &r.size,
                     r.iwork.data(), &r.size, info);
  }
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             signed char jobu, signed char jobvt, int64_t m, int64_t n,
                                             cudaDataType atype, const void* a, int64_t lda,
                                             cudaDataType stype, const void* s, cudaDataType utype,
                                             const void* u, int64_t ldu, cudaDataType vttype, const void* vt,
                                             int64_t ldvt, cudaDataType compute, size_t* device_bytes,
                                             size_t* host_bytes) {
  ARR_FAKE_ENTER(cusolverDnXgesvd_bufferSize);
  static_cast<void>(jobu);
  static_cast<void>(jobvt);
  static_cast<void>(a);
  static_cast<void>(lda);
  static_cast<void>(stype);
  static_cast<void>(s);
  static_cast<void>(utype);
  static_cast<void>(u);
  static_cast<void>(ldu);
  static_cast<void>(vttype);
  static_cast<void>(vt);
  if (compute != atype || handle == nullptr || params == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  return report_sizes(2 * m + 9 * n + ldvt, atype, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType atype, void* a,
                                  int64_t lda, cudaDataType stype, void* s, cudaDataType utype, void* u,
                                  int64_t ldu, cudaDataType vttype, void* vt, int64_t ldvt,
                                  cudaDataType compute, void* device_work, size_t device_bytes,
                                  void* host_work, size_t host_bytes, int* info) {
  ARR_FAKE_ENTER(cusolverDnXgesvd);
  const int64_t item = bytes_of(atype), real = atype == CUDA_C_32F || atype == CUDA_R_32F ? 4 : 8;
  const bool vectors = jobu != 'N';
  const int64_t columns = jobu == 'A' ? m : n;
  // As documented: no fewer rows than columns.
  bool valid = params != nullptr && compute == atype && m >= n && jobu == jobvt && utype == atype &&
               vttype == atype && bytes_of(stype) == real && matrix_on_device(a, m, n, lda, item) &&
               on_device(reinterpret_cast<uintptr_t>(s), static_cast<size_t>(n * real)) &&
               sizes_fit(2 * m + 9 * n + ldvt, atype, device_work, device_bytes, host_work, host_bytes) &&
               info_fits(info);
  valid = valid && (!vectors ||
                    (matrix_on_device(u, m, columns, ldu, item) && matrix_on_device(vt, n, n, ldvt, item)));
  return submit(handle, valid, [=] {
    return by_type(atype, [&](auto zero) {
      const char job[] = {static_cast<char>(jobu), 0};
      return gesvd<decltype(zero)>(job, static_cast<int>(m), static_cast<int>(n), a, static_cast<int>(lda), s,
                                   u, static_cast<int>(ldu), vt, static_cast<int>(ldvt), info);
    });
  });
}

cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info) {
  ARR_FAKE_ENTER(cusolverDnCreateGesvdjInfo);
  *info = reinterpret_cast<gesvdjInfo_t>(new int);
  ++live().handles;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info) {
  ARR_FAKE_ENTER(cusolverDnDestroyGesvdjInfo);
  if (info == nullptr) return CUSOLVER_STATUS_SUCCESS;
  delete reinterpret_cast<int*>(info);
  --live().handles;
  return CUSOLVER_STATUS_SUCCESS;
}

#define ARR_FAKE_GESVDJ(letter, Given, Real, T)                                                              \
  cusolverStatus_t cusolverDn##letter##gesvdjBatched_bufferSize(                                             \
      cusolverDnHandle_t handle, cusolverEigMode_t, int m, int n, const Given*, int, const Real*,            \
      const Given*, int, const Given*, int, int* lwork, gesvdjInfo_t params, int nbatch) {                   \
    ARR_FAKE_ENTER(cusolverDn##letter##gesvdjBatched_bufferSize);                                            \
    if (handle == nullptr || params == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;                        \
    *lwork = gesvdj_room(m, n, nbatch);                                                                      \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##letter##gesvdjBatched(                                                        \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, Given* a, int lda, Real* s, Given* u, \
      int ldu, Given* v, int ldv, Given* work, int lwork, int* info, gesvdjInfo_t params, int nbatch) {      \
    ARR_FAKE_ENTER(cusolverDn##letter##gesvdjBatched);                                                       \
    return gesvdj<T>(handle, jobz, m, n, a, lda, s, u, ldu, v, ldv, work, lwork, info, params, nbatch);      \
  }
ARR_FAKE_GESVDJ(S, float, float, float)
ARR_FAKE_GESVDJ(D, double, double, double)
ARR_FAKE_GESVDJ(C, cuComplex, float, std::complex<float>)
ARR_FAKE_GESVDJ(Z, cuDoubleComplex, double, std::complex<double>)

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                             cudaDataType atype, const void* a, int64_t lda,
                                             cudaDataType wtype, const void* w, cudaDataType compute,
                                             size_t* device_bytes, size_t* host_bytes) {
  ARR_FAKE_ENTER(cusolverDnXsyevd_bufferSize);
  static_cast<void>(a);
  static_cast<void>(lda);
  static_cast<void>(wtype);
  static_cast<void>(w);
  if (compute != atype || handle == nullptr || params == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  return report_sizes(13 * n + uplo + jobz, atype, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType atype, void* a, int64_t lda, cudaDataType wtype, void* w,
                                  cudaDataType compute, void* device_work, size_t device_bytes,
                                  void* host_work, size_t host_bytes, int* info) {
  ARR_FAKE_ENTER(cusolverDnXsyevd);
  const int64_t real = atype == CUDA_C_32F || atype == CUDA_R_32F ? 4 : 8;
  const bool valid =
      params != nullptr && compute == atype && bytes_of(wtype) == real &&
      matrix_on_device(a, n, n, lda, bytes_of(atype)) &&
      on_device(reinterpret_cast<uintptr_t>(w), static_cast<size_t>(n * real)) &&
      sizes_fit(13 * n + uplo + jobz, atype, device_work, device_bytes, host_work, host_bytes) &&
      info_fits(info);
  return submit(handle, valid, [=] {
    return by_type(atype, [&](auto zero) {
      return syevd<decltype(zero)>(jobz == CUSOLVER_EIG_MODE_VECTOR ? "V" : "N",
                                   uplo == CUBLAS_FILL_MODE_LOWER ? "L" : "U", static_cast<int>(n), a,
                                   static_cast<int>(lda), w, info);
    });
  });
}

cusolverStatus_t cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                   cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                                   cudaDataType atype, const void* a, int64_t lda,
                                                   cudaDataType wtype, const void* w, cudaDataType compute,
                                                   size_t* device_bytes, size_t* host_bytes, int64_t nbatch) {
  ARR_FAKE_ENTER(cusolverDnXsyevBatched_bufferSize);
  static_cast<void>(a);
  static_cast<void>(lda);
  static_cast<void>(wtype);
  static_cast<void>(w);
  if (compute != atype || handle == nullptr || params == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  return report_sizes(19 * n + uplo + jobz + nbatch, atype, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                        cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                        cudaDataType atype, void* a, int64_t lda, cudaDataType wtype, void* w,
                                        cudaDataType compute, void* device_work, size_t device_bytes,
                                        void* host_work, size_t host_bytes, int* info, int64_t nbatch) {
  ARR_FAKE_ENTER(cusolverDnXsyevBatched);
  const int64_t item = bytes_of(atype), real = atype == CUDA_C_32F || atype == CUDA_R_32F ? 4 : 8;
  const bool valid =
      params != nullptr && compute == atype && bytes_of(wtype) == real && nbatch > 0 && lda >= n &&
      matrix_on_device(a, lda, n * nbatch, lda, item) && matrix_on_device(w, n, nbatch, n, real) &&
      matrix_on_device(info, nbatch, 1, nbatch, sizeof(int)) &&
      sizes_fit(19 * n + uplo + jobz + nbatch, atype, device_work, device_bytes, host_work, host_bytes);
  return submit(handle, valid, [=] {
    return by_type(atype, [&](auto zero) {
      for (int64_t i = 0; i < nbatch; ++i) {
        const CUresult r = syevd<decltype(zero)>(
            jobz == CUSOLVER_EIG_MODE_VECTOR ? "V" : "N", uplo == CUBLAS_FILL_MODE_LOWER ? "L" : "U",
            static_cast<int>(n), static_cast<char*>(a) + i * lda * n * item, static_cast<int>(lda),
            static_cast<char*>(w) + i * n * real, info + i);
        if (r != CUDA_SUCCESS) return r;
      }
      return CUDA_SUCCESS;
    });
  });
}

cusolverStatus_t cusolverDnXgeev_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                            cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                                            cudaDataType atype, const void* a, int64_t lda,
                                            cudaDataType wtype, const void* w, cudaDataType vltype,
                                            const void* vl, int64_t ldvl, cudaDataType vrtype, const void* vr,
                                            int64_t ldvr, cudaDataType compute, size_t* device_bytes,
                                            size_t* host_bytes) {
  ARR_FAKE_ENTER(cusolverDnXgeev_bufferSize);
  static_cast<void>(jobvl);
  static_cast<void>(a);
  static_cast<void>(lda);
  static_cast<void>(wtype);
  static_cast<void>(w);
  static_cast<void>(vltype);
  static_cast<void>(vl);
  static_cast<void>(ldvl);
  static_cast<void>(vrtype);
  static_cast<void>(vr);
  static_cast<void>(ldvr);
  if (compute != atype || handle == nullptr || params == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  return report_sizes(17 * n + jobvr, atype, device_bytes, host_bytes);
}

cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                 cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                                 cudaDataType atype, void* a, int64_t lda, cudaDataType wtype, void* w,
                                 cudaDataType vltype, void* vl, int64_t ldvl, cudaDataType vrtype, void* vr,
                                 int64_t ldvr, cudaDataType compute, void* device_work, size_t device_bytes,
                                 void* host_work, size_t host_bytes, int* info) {
  ARR_FAKE_ENTER(cusolverDnXgeev);
  const int64_t item = bytes_of(atype);
  const bool vectors = jobvr == CUSOLVER_EIG_MODE_VECTOR;
  // Complex matrices are all that is asked of it; the real one has other types and layouts.
  const bool valid =
      params != nullptr && compute == atype && wtype == atype && vltype == atype && vrtype == atype &&
      (atype == CUDA_C_32F || atype == CUDA_C_64F) && jobvl == CUSOLVER_EIG_MODE_NOVECTOR &&
      matrix_on_device(a, n, n, lda, item) && matrix_on_device(w, n, 1, n, item) &&
      (!vectors || matrix_on_device(vr, n, n, ldvr, item)) && vl == nullptr && ldvl >= n &&
      sizes_fit(17 * n + jobvr, atype, device_work, device_bytes, host_work, host_bytes) && info_fits(info);
  return submit(handle, valid, [=] {
    return by_type(atype, [&](auto zero) {
      using T = decltype(zero);
      const int order = static_cast<int>(n), ld = static_cast<int>(lda), ldr = static_cast<int>(ldvr),
                one = 1;
      if constexpr (std::is_same_v<T, typename RealOf<T>::type>) {
        return CUDA_ERROR_NOT_SUPPORTED;
      } else {
        Room<T> r(64 * n + 64);
        return lapack<T>("geev", "N", vectors ? "V" : "N", &order, a, &ld, w, vl, &one, vr, &ldr,
                         r.work.data(), &r.size, r.rwork.data(), info);
      }
    });
  });
}

#pragma GCC visibility pop
}
