// SPDX-License-Identifier: MIT
// Factorizations and solvers by LAPACK. Large matrices are processed one by one with BLAS's threads; many
// small ones by our threads, each with single-threaded BLAS.
#include "host/linalg/linalg.h"

#include <algorithm>
#include <climits>
#include <optional>

#include "backend/linalg.h"
#include "host/elementwise/parallel.h"
#include "host/linalg/banded.h"
#include "host/linalg/calls.h"
#include "host/linalg/eigh.h"
#include "host/linalg/ldl.h"
#include "host/linalg/schur.h"
#include "host/linalg/spectral.h"

namespace arr::host {

namespace {

int lapack_size(int64_t n) {
  if (n > INT_MAX)
    fail(ARR_E_UNSUPPORTED, "a matrix or workspace of extent ", n, "; LAPACK takes at most 2^31 - 1");
  return static_cast<int>(n);
}

}  // namespace

Extents::Extents(const LinalgCall& c)
    : m(lapack_size(c.m)),
      n(lapack_size(c.n)),
      k(lapack_size(c.k)),
      min_mn(std::min(m, n)),
      columns(lapack_size(c.columns)) {}

int workspace(double reported) {
  // Conversion to float may round sizes above 2^24 down.
  const auto n = static_cast<int64_t>(reported * (1 + 0x1p-20)) + 1;
  return lapack_size(n);
}

namespace {

template <class Worker>
void run_some(Worker& worker, int64_t first, int64_t last) {
  if constexpr (requires { worker.run(first, last); }) {
    worker.run(first, last);
  } else {
    for (int64_t i = first; i < last; ++i) worker.run(i);
  }
}

// True if each of our threads processes separate matrices.
bool spreads(const LinalgCall& c) {
  constexpr int64_t small = 128;
  return c.count() > 1 && (std::max(c.m, c.n) <= small || c.count() >= blas().get_threads());
}

template <class Worker>
void run_all(const LinalgCall& c) {
  const int64_t count = c.count();
  lapack<typename Worker::Type>();  // throws if LAPACK is missing, before anything is done
  const BlasUse use(concurrency());
  if (!spreads(c)) {
    // More threads save nothing on so small a matrix, and one that the system has stopped holds the others
    // up.
    constexpr int64_t small = 384;
    std::optional<OneThread> single;
    if (std::max(c.m, c.n) <= small) single.emplace();
    Worker worker(c);
    run_some(worker, 0, count);
    return;
  }
  const OneThread single;
  const double work =
      static_cast<double>(c.m) * static_cast<double>(c.n) * static_cast<double>(std::min(c.m, c.n) + c.k);
  const auto grain = static_cast<int64_t>(1e6 / std::max(work, 64.0)) + 1;
  parallel_ranges(count, grain, [&](int64_t first, int64_t last) {
    Worker worker(c);
    run_some(worker, first, last);
  });
}

// The kinds of complex matrices only.
template <class T>
void run_complex(const LinalgCall& c) {
  if constexpr (Lapack<T>::complex) {
    if (c.kind == LinalgKind::schur) return run_all<Schur<T>>(c);
    return run_all<Sylvester<T>>(c);
  } else {
    fail(ARR_E_INTERNAL, name(c.kind), " of ", name(c.dtype));
  }
}

template <class T>
void run_kind(const LinalgCall& c) {
  if constexpr (!Lapack<T>::complex) {
    const bool eliminates =
        c.kind == LinalgKind::solve || c.kind == LinalgKind::inverse || c.kind == LinalgKind::lu;
    if (eliminates && SmallLu<T>::takes(c)) return run_all<SmallLu<T>>(c);
  }
  switch (c.kind) {
    case LinalgKind::solve:
      return run_all<Solve<T>>(c);
    case LinalgKind::inverse:
      return run_all<Inverse<T>>(c);
    case LinalgKind::lu:
      return run_all<Lu<T>>(c);
    case LinalgKind::lu_solve:
      return run_all<LuSolve<T>>(c);
    case LinalgKind::cholesky:
      return run_all<Cholesky<T>>(c);
    case LinalgKind::qr:
      return run_all<Qr<T>>(c);
    case LinalgKind::qr_multiply:
      return run_all<QrMultiply<T>>(c);
    case LinalgKind::svd:
      return run_all<Svd<T>>(c);
    case LinalgKind::eigh:
      if (!c.vectors) return run_all<EighValues<T>>(c);
      return run_all<Eigh<T>>(c);
    case LinalgKind::eig:
      return run_all<Eig<T>>(c);
    case LinalgKind::ldl:
      return run_all<Ldl<T>>(c);
    case LinalgKind::schur:
    case LinalgKind::sylvester:
      return run_complex<T>(c);
    case LinalgKind::banded:
      return run_all<Banded<T>>(c);
    case LinalgKind::banded_cholesky:
      return run_all<BandedCholesky<T>>(c);
    case LinalgKind::triangular:
      return run_all<Triangular<T>>(c);
  }
}

}  // namespace

void linalg(const LinalgCall& c) {
  switch (c.dtype) {
    case DType::float32_:
      return run_kind<float>(c);
    case DType::float64_:
      return run_kind<double>(c);
    case DType::complex64_:
      return run_kind<std::complex<float>>(c);
    case DType::complex128_:
      return run_kind<std::complex<double>>(c);
    default:
      fail(ARR_E_DTYPE, name(c.kind), " of ", name(c.dtype));
  }
}

}  // namespace arr::host
