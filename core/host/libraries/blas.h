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
  int* threads = nullptr;   // where get_threads looks; nullptr where the library does not say
  void* library = nullptr;  // for dlsym
  std::string name;         // such as OpenBLAS
  std::string config;       // as OpenBLAS describes itself
  bool wide = false;        // its integers, and LAPACK's, have 64 bits
  std::string lapack_prefix, lapack_suffix;  // around the names of LAPACK's functions
  std::string report;                        // a line per thing tried
  [[nodiscard]] bool found() const { return zgemv != nullptr; }
};

// Opened once; look at found(). Throws where it could not be opened for want of memory or file descriptors,
// and is opened by the next call then.
const Blas& blas_library();
// The same, or ARR_E_UNAVAILABLE with the loader's message.
const Blas& blas();

// A scope whose calls of OpenBLAS, `threads` of them at once, find memory for the buffer that each works in:
// OpenBLAS, refused it, asks again for ever. Where there is no room for all of them, the calls are made one
// after another, and where there is none for one, ARR_E_MEMORY is thrown. fork() waits for these scopes to
// end, a while: what OpenBLAS holds in one of them the child would never have back.
class BlasUse {
 public:
  explicit BlasUse(int64_t threads);
  BlasUse(const BlasUse&) = delete;
  BlasUse& operator=(const BlasUse&) = delete;
  ~BlasUse();

 private:
  void find_room(int64_t all);  // for the threads of all BlasUses
  int64_t threads_;
  std::optional<SerialScope> serial_;
};

// Calls that are to run on one BLAS thread each, for several of them run at once; within a BlasUse.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
};

}  // namespace arr::host
