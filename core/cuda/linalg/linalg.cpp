// SPDX-License-Identifier: MIT
// Factorizations and solvers by cuSOLVER, matrix by matrix; stacks of small ones go to batched.cpp.
#include <algorithm>

#include "backend/linalg.h"
#include "cuda/linalg/calls.h"
#include "cuda/linalg/solver.h"

namespace arr::cuda {

namespace {

// LU factorization of each matrix at `a`, in place; pivots count from 1.
void factor(Solving& x, void* a, int64_t* pivots) {
  const LinalgCall& c = x.c;
  const Cusolver& lib = cusolver();
  Workspace w;
  x.run("cusolverDnXgetrf_bufferSize", [&](cusolverDnHandle_t h, cusolverDnParams_t p) {
    return lib.cusolverDnXgetrf_bufferSize(h, p, c.m, c.n, x.type, a, c.m, x.type, &w.device_bytes,
                                           &w.host_bytes);
  });
  w.reserve(x.d, x.s);
  const int64_t min_mn = std::min(c.m, c.n);
  x.run_each("cusolverDnXgetrf", [&](cusolverDnHandle_t h, cusolverDnParams_t p, int64_t i) {
    return lib.cusolverDnXgetrf(h, p, c.m, c.n, x.type, piece(a, i, c.m * c.n * x.item), c.m,
                                pivots + i * min_mn, x.type, w.device_data(), w.device_bytes, w.host.data(),
                                w.host_bytes, c.info + i);
  });
}

// Solves with LAPACK's factors and pivots in place.
void substitute(Solving& x, const Readable& a, const int64_t* pivots, int64_t k, void* b) {
  const LinalgCall& c = x.c;
  const Scratch ignored(x.d, x.s, sizeof(int32_t));  // reports only invalid arguments
  x.run_each("cusolverDnXgetrs", [&](cusolverDnHandle_t h, cusolverDnParams_t p, int64_t i) {
    return cusolver().cusolverDnXgetrs(h, p, operation(c.op), c.n, k, x.type, a.at(i), a.ld, pivots + i * c.n,
                                       x.type, piece(b, i, c.n * k * x.item), c.n,
                                       static_cast<int*>(ignored.data()));
  });
}

// Solves in place, b -> x, for the matrices at `a`, which are overwritten.
void solve_in_place(Solving& x, void* a, int64_t k, void* b) {
  if (x.batched) {
    const Scratch pivots(x.d, x.s, x.count * x.c.n * int64_t{sizeof(int32_t)});
    factor_batched(x, a, static_cast<int32_t*>(pivots.data()));
    return substitute_batched(x, Readable(x, a), static_cast<const int32_t*>(pivots.data()), k, b);
  }
  const Scratch pivots(x.d, x.s, x.count * x.c.n * int64_t{sizeof(int64_t)});
  factor(x, a, static_cast<int64_t*>(pivots.data()));
  substitute(x, Readable(x, a), static_cast<const int64_t*>(pivots.data()), k, b);
}

void solve(Solving& x) {
  const LinalgCall& c = x.c;
  const Scratch a(x.d, x.s, x.count * c.n * c.n * x.item);
  x.stack(c.a, c.n, c.n, false, c.dtype, a.data());
  if (c.kind == LinalgKind::inverse) {
    x.identity(c.x, c.n);
    return solve_in_place(x, a.data(), c.n, c.x);
  }
  x.stack(c.b, c.n, c.k, false, c.dtype, c.x);
  solve_in_place(x, a.data(), c.k, c.x);
}

void lu(Solving& x) {
  const LinalgCall& c = x.c;
  const int64_t all = x.count * std::min(c.m, c.n);
  x.stack(c.a, c.m, c.n, false, c.dtype, c.x);
  if (x.batched) return factor_batched(x, c.x, c.pivots);
  const Scratch pivots(x.d, x.s, all * int64_t{sizeof(int64_t)});
  factor(x, c.x, static_cast<int64_t*>(pivots.data()));
  x.convert(pivots.data(), DType::int64_, c.pivots, DType::int32_, all);
}

void lu_solve(Solving& x) {
  const LinalgCall& c = x.c;
  const Readable a(x);
  x.stack(c.b, c.n, c.k, false, c.dtype, c.x);
  if (x.batched) return substitute_batched(x, a, c.pivots, c.k, c.x);
  const Scratch pivots(x.d, x.s, x.count * c.n * int64_t{sizeof(int64_t)});
  x.convert(c.pivots, DType::int32_, pivots.data(), DType::int64_, x.count * c.n);
  substitute(x, a, static_cast<const int64_t*>(pivots.data()), c.k, c.x);
}

void cholesky(Solving& x) {
  const LinalgCall& c = x.c;
  const Cusolver& lib = cusolver();
  x.stack(c.a, c.n, c.n, false, c.dtype, c.x);
  if (x.batched) return cholesky_batched(x);
  Workspace w;
  const cublasFillMode_t uplo = fill_mode(c.lower);
  x.run("cusolverDnXpotrf_bufferSize", [&](cusolverDnHandle_t h, cusolverDnParams_t p) {
    return lib.cusolverDnXpotrf_bufferSize(h, p, uplo, c.n, x.type, c.x, c.n, x.type, &w.device_bytes,
                                           &w.host_bytes);
  });
  w.reserve(x.d, x.s);
  x.run_each("cusolverDnXpotrf", [&](cusolverDnHandle_t h, cusolverDnParams_t p, int64_t i) {
    return lib.cusolverDnXpotrf(h, p, uplo, c.n, x.type, piece(c.x, i, c.n * c.n * x.item), c.n, x.type,
                                w.device_data(), w.device_bytes, w.host.data(), w.host_bytes, c.info + i);
  });
}

// Converts the Householder vectors and factors of each matrix at c.x to columns of Q at c.left.
template <class T, class Query, class Make>
void make_q(Solving& x, Query query, Make make) {
  const LinalgCall& c = x.c;
  const int m = blas_size(c.m), n = blas_size(c.columns), k = blas_size(std::min(c.m, c.n));
  int lwork = 0;
  x.run("cusolverDnorgqr_bufferSize", [&](cusolverDnHandle_t h, cusolverDnParams_t) {
    return query(h, m, n, k, static_cast<const T*>(c.left), m, static_cast<const T*>(c.values), &lwork);
  });
  const Scratch work(x.d, x.s, std::max<int64_t>(lwork, 1) * x.item);
  x.run_each("cusolverDnorgqr", [&](cusolverDnHandle_t h, cusolverDnParams_t, int64_t i) {
    return make(h, m, n, k, static_cast<T*>(piece(c.left, i, c.m * c.columns * x.item)), m,
                static_cast<const T*>(piece(c.values, i, k * x.item)), static_cast<T*>(work.data()), lwork,
                c.info + i);
  });
}

void qr_each(Solving& x) {
  const LinalgCall& c = x.c;
  const Cusolver& lib = cusolver();
  const int64_t min_mn = std::min(c.m, c.n);
  Workspace w;
  x.run("cusolverDnXgeqrf_bufferSize", [&](cusolverDnHandle_t h, cusolverDnParams_t p) {
    return lib.cusolverDnXgeqrf_bufferSize(h, p, c.m, c.n, x.type, c.x, c.m, x.type, c.values, x.type,
                                           &w.device_bytes, &w.host_bytes);
  });
  w.reserve(x.d, x.s);
  x.run_each("cusolverDnXgeqrf", [&](cusolverDnHandle_t h, cusolverDnParams_t p, int64_t i) {
    return lib.cusolverDnXgeqrf(h, p, c.m, c.n, x.type, piece(c.x, i, c.m * c.n * x.item), c.m, x.type,
                                piece(c.values, i, min_mn * x.item), x.type, w.device_data(), w.device_bytes,
                                w.host.data(), w.host_bytes, c.info + i);
  });
}

// Q is computed matrix by matrix, because the libraries have no batched function.
void qr(Solving& x) {
  const LinalgCall& c = x.c;
  x.stack(c.a, c.m, c.n, false, c.dtype, c.x);
  if (x.batched) {
    qr_batched(x);
  } else {
    qr_each(x);
  }
  if (c.columns == 0) return;
  const Cusolver& lib = cusolver();
  x.copy_columns(c.x, c.n, c.left, c.columns, c.m, std::min(c.n, c.columns));
  switch (c.dtype) {
    case DType::float32_:
      return make_q<float>(x, lib.cusolverDnSorgqr_bufferSize, lib.cusolverDnSorgqr);
    case DType::float64_:
      return make_q<double>(x, lib.cusolverDnDorgqr_bufferSize, lib.cusolverDnDorgqr);
    case DType::complex64_:
      return make_q<cuComplex>(x, lib.cusolverDnCungqr_bufferSize, lib.cusolverDnCungqr);
    default:
      return make_q<cuDoubleComplex>(x, lib.cusolverDnZungqr_bufferSize, lib.cusolverDnZungqr);
  }
}

// op(Q) times each matrix at c.x, in place, by Householder's vectors at `a` and the factors at c.values.
template <class T, class Query, class Multiply>
void multiply_by_q(Solving& x, void* a, Query query, Multiply multiply) {
  const LinalgCall& c = x.c;
  const int m = blas_size(c.m), n = blas_size(c.k), k = blas_size(std::min(c.m, c.n));
  const cublasOperation_t adjoint = is_complex(c.dtype) ? CUBLAS_OP_C : CUBLAS_OP_T;
  const cublasOperation_t op = c.op == LinalgOp::none ? CUBLAS_OP_N : adjoint;
  int lwork = 0;
  x.run("cusolverDnormqr_bufferSize", [&](cusolverDnHandle_t h, cusolverDnParams_t) {
    return query(h, CUBLAS_SIDE_LEFT, op, m, n, k, static_cast<const T*>(a), m,
                 static_cast<const T*>(c.values), static_cast<const T*>(c.x), m, &lwork);
  });
  const Scratch work(x.d, x.s, std::max<int64_t>(lwork, 1) * x.item);
  x.run_each("cusolverDnormqr", [&](cusolverDnHandle_t h, cusolverDnParams_t, int64_t i) {
    return multiply(h, CUBLAS_SIDE_LEFT, op, m, n, k, static_cast<const T*>(piece(a, i, c.m * c.n * x.item)),
                    m, static_cast<const T*>(piece(c.values, i, k * x.item)),
                    static_cast<T*>(piece(c.x, i, c.m * c.k * x.item)), m, static_cast<T*>(work.data()),
                    lwork, c.info + i);
  });
}

void qr_multiply(Solving& x) {
  const LinalgCall& c = x.c;
  const Cusolver& lib = cusolver();
  const Scratch a(x.d, x.s, x.count * c.m * c.n * x.item);
  x.stack(c.a, c.m, c.n, false, c.dtype, a.data());
  x.stack(c.b, c.m, c.k, false, c.dtype, c.x);
  switch (c.dtype) {
    case DType::float32_:
      return multiply_by_q<float>(x, a.data(), lib.cusolverDnSormqr_bufferSize, lib.cusolverDnSormqr);
    case DType::float64_:
      return multiply_by_q<double>(x, a.data(), lib.cusolverDnDormqr_bufferSize, lib.cusolverDnDormqr);
    case DType::complex64_:
      return multiply_by_q<cuComplex>(x, a.data(), lib.cusolverDnCunmqr_bufferSize, lib.cusolverDnCunmqr);
    default:
      return multiply_by_q<cuDoubleComplex>(x, a.data(), lib.cusolverDnZunmqr_bufferSize,
                                            lib.cusolverDnZunmqr);
  }
}

}  // namespace

void linalg(Device& d, const LinalgCall& call, Stream& s) {
  if (call.kind == LinalgKind::banded || call.kind == LinalgKind::banded_cholesky) return banded(d, call, s);
  if (call.kind == LinalgKind::ldl) return ldl(d, call, s);
  Solving x(d, call, s);
  s.last_work.store(name(call.kind), std::memory_order_relaxed);
  switch (call.kind) {
    case LinalgKind::solve:
    case LinalgKind::inverse:
      return solve(x);
    case LinalgKind::lu:
      return lu(x);
    case LinalgKind::lu_solve:
      return lu_solve(x);
    case LinalgKind::cholesky:
      return cholesky(x);
    case LinalgKind::qr:
      return qr(x);
    case LinalgKind::qr_multiply:
      return qr_multiply(x);
    case LinalgKind::svd:
      return svd(x);
    case LinalgKind::eigh:
      return eigh(x);
    case LinalgKind::eig:
      return eig(x);
    case LinalgKind::schur:
      return schur(x);
    case LinalgKind::sylvester:
      return sylvester(x);
    case LinalgKind::triangular:
      return triangular(x);
    default:  // banded, ldl
      fail(ARR_E_INTERNAL, name(call.kind));
  }
}

}  // namespace arr::cuda
