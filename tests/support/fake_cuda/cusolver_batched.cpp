// SPDX-License-Identifier: MIT
// The fake cuSOLVER: stacks of matrices as one call, by LAPACK one by one.
#include "cusolver.h"

namespace arr::fake {
namespace {

template <class T>
cusolverStatus_t potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, void* const* a, int lda,
                       int* info, int count) {
  const auto of = [count](size_t item) { return static_cast<size_t>(count) * item; };
  const bool valid = n >= 0 && lda >= n && on_device(reinterpret_cast<uintptr_t>(a), of(sizeof(void*))) &&
                     on_device(reinterpret_cast<uintptr_t>(info), of(sizeof(int)));
  return submit(handle, valid, [=] {
    for (int i = 0; i < count; ++i) {
      if (!matrix_on_device(a[i], n, n, lda, sizeof(T))) return CUDA_ERROR_ILLEGAL_ADDRESS;
      const CUresult r =
          lapack<T>("potrf", uplo == CUBLAS_FILL_MODE_LOWER ? "L" : "U", &n, a[i], &lda, info + i);
      if (r != CUDA_SUCCESS) return r;
    }
    return CUDA_SUCCESS;
  });
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

#define ARR_FAKE_POTRF(letter, Given, T)                                                                     \
  cusolverStatus_t cusolverDn##letter##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                                    Given* a[], int lda, int* info, int nbatch) {            \
    ARR_FAKE_ENTER(cusolverDn##letter##potrfBatched);                                                        \
    return potrf<T>(handle, uplo, n, reinterpret_cast<void* const*>(a), lda, info, nbatch);                  \
  }
ARR_FAKE_POTRF(S, float, float)
ARR_FAKE_POTRF(D, double, double)
ARR_FAKE_POTRF(C, cuComplex, std::complex<float>)
ARR_FAKE_POTRF(Z, cuDoubleComplex, std::complex<double>)

#pragma GCC visibility pop
}
