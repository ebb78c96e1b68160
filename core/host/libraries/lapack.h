// SPDX-License-Identifier: MIT
// LAPACK by its Fortran interface with 32-bit integers, a table per type.
#pragma once

#include <complex>
#include <cstddef>
#include <type_traits>

#include "host/libraries/blas.h"

namespace arr::host {

// Arguments are LAPACK's, in its order, followed by gfortran's hidden lengths of strings.
template <class T>
struct Lapack {
  static constexpr bool complex = !std::is_floating_point_v<T>;
  using Real = typename std::conditional_t<complex, T, std::complex<T>>::value_type;
  using Char = const char*;
  using Int = const int*;
  using Out = int*;
  void (*getrf)(Int m, Int n, T* a, Int lda, Out pivots, Out info) = nullptr;
  void (*getrs)(Char op, Int n, Int nrhs, const T* a, Int lda, Int pivots, T* b, Int ldb, Out info,
                size_t) = nullptr;
  void (*getri)(Int n, T* a, Int lda, Int pivots, T* work, Int lwork, Out info) = nullptr;
  void (*potrf)(Char uplo, Int n, T* a, Int lda, Out info, size_t) = nullptr;
  void (*gbsv)(Int n, Int kl, Int ku, Int nrhs, T* ab, Int ldab, Out pivots, T* b, Int ldb,
               Out info) = nullptr;
  void (*pbsv)(Char uplo, Int n, Int kd, Int nrhs, T* ab, Int ldab, T* b, Int ldb, Out info,
               size_t) = nullptr;
  void (*trtrs)(Char uplo, Char op, Char diag, Int n, Int nrhs, const T* a, Int lda, T* b, Int ldb, Out info,
                size_t, size_t, size_t) = nullptr;
  void (*geqrf)(Int m, Int n, T* a, Int lda, T* tau, T* work, Int lwork, Out info) = nullptr;
  void (*orgqr)(Int m, Int n, Int k, T* a, Int lda, const T* tau, T* work, Int lwork, Out info) = nullptr;
  void (*ormqr)(Char side, Char op, Int m, Int n, Int k, const T* a, Int lda, const T* tau, T* c, Int ldc,
                T* work, Int lwork, Out info, size_t, size_t) = nullptr;
  void (*sytrf)(Char uplo, Int n, T* a, Int lda, Out pivots, T* work, Int lwork, Out info, size_t) = nullptr;
  void (*sytrd)(Char uplo, Int n, T* a, Int lda, Real* d, Real* e, T* tau, T* work, Int lwork, Out info,
                size_t) = nullptr;
  // Real types only: LAPACK's complex routines call it.
  void (*stedc)(Char compz, Int n, Real* d, Real* e, Real* z, Int ldz, Real* work, Int lwork, Out iwork,
                Int liwork, Out info, size_t) = nullptr;

  // Complex types also need rwork and lrwork.
  using GesddReal = void (*)(Char jobz, Int m, Int n, T* a, Int lda, Real* s, T* u, Int ldu, T* vt, Int ldvt,
                             T* work, Int lwork, Out iwork, Out info, size_t);
  using GesddComplex = void (*)(Char jobz, Int m, Int n, T* a, Int lda, Real* s, T* u, Int ldu, T* vt,
                                Int ldvt, T* work, Int lwork, Real* rwork, Out iwork, Out info, size_t);
  using SyevdReal = void (*)(Char jobz, Char uplo, Int n, T* a, Int lda, Real* w, T* work, Int lwork,
                             Out iwork, Int liwork, Out info, size_t, size_t);
  using SyevdComplex = void (*)(Char jobz, Char uplo, Int n, T* a, Int lda, Real* w, T* work, Int lwork,
                                Real* rwork, Int lrwork, Out iwork, Int liwork, Out info, size_t, size_t);
  using GeevReal = void (*)(Char jobvl, Char jobvr, Int n, T* a, Int lda, T* wr, T* wi, T* vl, Int ldvl,
                            T* vr, Int ldvr, T* work, Int lwork, Out info, size_t, size_t);
  using GeevComplex = void (*)(Char jobvl, Char jobvr, Int n, T* a, Int lda, T* w, T* vl, Int ldvl, T* vr,
                               Int ldvr, T* work, Int lwork, Real* rwork, Out info, size_t, size_t);
  // Complex types only. select and bwork are used only with sort 'S'.
  void (*gees)(Char jobvs, Char sort, const void* select, Int n, T* a, Int lda, Out sdim, T* w, T* vs,
               Int ldvs, T* work, Int lwork, Real* rwork, Out bwork, Out info, size_t, size_t) = nullptr;
  std::conditional_t<complex, GesddComplex, GesddReal> gesdd = nullptr;
  std::conditional_t<complex, SyevdComplex, SyevdReal> syevd = nullptr;
  std::conditional_t<complex, GeevComplex, GeevReal> geev = nullptr;
};

// For float, double and their complex numbers. ARR_E_UNAVAILABLE if there is no LAPACK.
template <class T>
const Lapack<T>& lapack();

// Appends a line per path that was tried for BLAS to a report, and one about LAPACK in it. Returns true if
// BLAS was found.
bool blas_report(std::string* report);

}  // namespace arr::host
