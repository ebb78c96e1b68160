// SPDX-License-Identifier: MIT
// A BLAS library (OpenBLAS, BLIS, MKL, FlexiBLAS, the reference), opened at run time on first use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/threads.h"

namespace arr::host {

// The functions used, by the C interface with 32-bit integers; enums are plain ints (101 row-major, 102
// column-major; 111 as is, 112 transposed).
struct Blas {
  using Real = void (*)(int order, int ta, int tb, int m, int n, int k, float alpha, const float* a, int lda,
                        const float* b, int ldb, float beta, float* c, int ldc);
  using Double = void (*)(int order, int ta, int tb, int m, int n, int k, double alpha, const double* a,
                          int lda, const double* b, int ldb, double beta, double* c, int ldc);
  using Complex = void (*)(int order, int ta, int tb, int m, int n, int k, const void* alpha, const void* a,
                           int lda, const void* b, int ldb, const void* beta, void* c, int ldc);
  using RealVector = void (*)(int order, int ta, int m, int n, float alpha, const float* a, int lda,
                              const float* x, int incx, float beta, float* y, int incy);
  using DoubleVector = void (*)(int order, int ta, int m, int n, double alpha, const double* a, int lda,
                                const double* x, int incx, double beta, double* y, int incy);
  using ComplexVector = void (*)(int order, int ta, int m, int n, const void* alpha, const void* a, int lda,
                                 const void* x, int incx, const void* beta, void* y, int incy);
  Real sgemm = nullptr;
  Double dgemm = nullptr;
  Complex cgemm = nullptr, zgemm = nullptr;
  RealVector sgemv = nullptr;
  DoubleVector dgemv = nullptr;
  ComplexVector cgemv = nullptr, zgemv = nullptr;
  void (*set_threads)(int) = nullptr;
  int (*get_threads)() = nullptr;
  int* threads = nullptr;      // the variable that get_threads reads; nullptr if it is not exported
  void* library = nullptr;     // for dlsym
  std::string name;            // such as OpenBLAS
  std::string config;          // OpenBLAS's description of itself
  bool wide = false;           // its integers, and LAPACK's, have 64 bits
  bool small_kernels = false;  // OpenBLAS computes products of up to 10^6 multiply-adds without copies
  std::string lapack_prefix, lapack_suffix;  // prefix and suffix of LAPACK's function names
  std::string report;                        // a line per attempt
  [[nodiscard]] bool found() const { return zgemv != nullptr; }
};

// Opened once; check found(). If memory or file descriptors ran out it throws, and the next call tries again.
const Blas& blas_library();
// The same; ARR_E_UNAVAILABLE with the loader's message if there is none.
const Blas& blas();

// A scope for `threads` concurrent calls of OpenBLAS, which guarantees memory for the buffer of each;
// OpenBLAS retries a failed allocation without end. If there is not enough room for all, calls are made one
// after another; if there is none for one call, it throws ARR_E_MEMORY. fork() waits a while for these scopes
// to end, because a child could not recover what OpenBLAS holds in one.
class BlasUse {
 public:
  explicit BlasUse(int64_t threads);
  BlasUse(const BlasUse&) = delete;
  BlasUse& operator=(const BlasUse&) = delete;
  ~BlasUse();

 private:
  void find_room(int64_t all);  // for the threads of all BlasUse objects
  int64_t threads_;
  std::optional<SerialScope> serial_;
};

// A scope, within a BlasUse, for several concurrent calls that each run on one BLAS thread.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
};

}  // namespace arr::host
