// SPDX-License-Identifier: MIT
// OpenBLAS, opened at run time on first use.
#pragma once

#include <cstdint>
#include <string>

namespace arr::host {

// The functions used, by the C interface with 32-bit sizes; enums are plain ints (101 row-major, 102
// column-major; 111 as is, 112 transposed).
struct Blas {
  using Real = void (*)(int order, int ta, int tb, int m, int n, int k, float alpha, const float* a, int lda,
                        const float* b, int ldb, float beta, float* c, int ldc);
  using Double = void (*)(int order, int ta, int tb, int m, int n, int k, double alpha, const double* a,
                          int lda, const double* b, int ldb, double beta, double* c, int ldc);
  using Complex = void (*)(int order, int ta, int tb, int m, int n, int k, const void* alpha, const void* a,
                           int lda, const void* b, int ldb, const void* beta, void* c, int ldc);
  Real sgemm = nullptr;
  Double dgemm = nullptr;
  Complex cgemm = nullptr, zgemm = nullptr;
  void (*set_threads)(int) = nullptr;
  int (*get_threads)() = nullptr;
  void* library = nullptr;  // for dlsym
  std::string report;       // a line per thing tried
  [[nodiscard]] bool found() const { return zgemm != nullptr; }
};

// Opened once; look at found().
const Blas& blas_library();
// The same, or ARR_E_UNAVAILABLE with the loader's message.
const Blas& blas();

// Calls that are to run on one BLAS thread each, for several of them run at once.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
};

}  // namespace arr::host
