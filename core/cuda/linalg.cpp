// SPDX-License-Identifier: MIT
// Factorizations and solvers by cuSOLVER, matrix by matrix; many small systems by cuBLAS's batched functions.
#include <algorithm>
#include <vector>

#include "cuda/solver.h"

namespace arr::cuda {

namespace {

cublasOperation_t operation(LinalgOp op) {
  return op == LinalgOp::none ? CUBLAS_OP_N : op == LinalgOp::transpose ? CUBLAS_OP_T : CUBLAS_OP_C;
}
cublasFillMode_t fill_mode(bool lower) { return lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER; }

int blas_size(int64_t n) {
  if (n > int32_most) fail(ARR_E_UNSUPPORTED, "a matrix of extent ", n, "; cuBLAS takes at most 2^31 - 1");
  return static_cast<int>(n);
}

// LU of each of the matrices at `a`, in place; pivots count from 1.
void factor(Solving& x, void* a, int64_t* pivots) {
  const LinalgCall& c = x.c;
  const Cusolver& lib = cusolver();
  Workspace w;
  x.run("cusolverDnXgetrf_bufferSize", [&](cusolverDnHandle_t h, cusolverDnParams_t p) {
    return lib.cusolverDnXgetrf_bufferSize(h, p, c.m, c.n, x.type, a, c.m, x.type, &w.device_bytes,
                                           &w.host_bytes);
  });
  w.reserve(x.d, x.s);
  const int64_t least = std::min(c.m, c.n);
  x.run_each("cusolverDnXgetrf", [&](cusolverDnHandle_t h, cusolverDnParams_t p, int64_t i) {
    return lib.cusolverDnXgetrf(h, p, c.m, c.n, x.type, piece(a, i, c.m * c.n * x.item), c.m,
                                pivots + i * least, x.type, w.device_data(), w.device_bytes, w.host.data(),
                                w.host_bytes, c.info + i);
  });
}

void substitute(Solving& x, const void* a, const int64_t* pivots, int64_t k, void* b) {
  const LinalgCall& c = x.c;
  const Scratch ignored(x.d, x.s, sizeof(int32_t));  // tells of arguments only
  x.run_each("cusolverDnXgetrs", [&](cusolverDnHandle_t h, cusolverDnParams_t p, int64_t i) {
    return cusolver().cusolverDnXgetrs(
        h, p, operation(c.op), c.n, k, x.type, static_cast<const char*>(a) + i * c.n * c.n * x.item, c.n,
        pivots + i * c.n, x.type, piece(b, i, c.n * k * x.item), c.n, static_cast<int*>(ignored.data()));
  });
}

// What cuBLAS's batched functions read: an address per matrix.
class Addresses {
 public:
  Addresses(Solving& x, void* first, int64_t bytes) : memory_(x.d, x.s, x.count * int64_t{sizeof(void*)}) {
    std::vector<void*> all(static_cast<size_t>(x.count));
    for (int64_t i = 0; i < x.count; ++i) all[static_cast<size_t>(i)] = piece(first, i, bytes);
    // From pageable memory: it has been read on return.
    x.d.check(driver().cuMemcpyHtoDAsync_v2(reinterpret_cast<CUdeviceptr>(memory_.data()), all.data(),
                                            all.size() * sizeof(void*), x.s.handle),
              "cuMemcpyHtoDAsync", &x.s);
    // The fake and managed memory may be late, and the vector goes now.
    x.d.check(driver().cuStreamSynchronize(x.s.handle), "cuStreamSynchronize", &x.s);
  }
  template <class T>
  [[nodiscard]] T* const* get() const {
    return static_cast<T* const*>(memory_.data());
  }

 private:
  Scratch memory_;
};

template <class T>
struct Batched;
#define ARR_BATCHED(T, letter)                                           \
  template <>                                                            \
  struct Batched<T> {                                                    \
    static constexpr auto getrf = &Cublas::cublas##letter##getrfBatched; \
    static constexpr auto getrs = &Cublas::cublas##letter##getrsBatched; \
    static constexpr auto trsm = &Cublas::cublas##letter##trsm_v2;       \
  };
ARR_BATCHED(float, S)
ARR_BATCHED(double, D)
ARR_BATCHED(cuComplex, C)
ARR_BATCHED(cuDoubleComplex, Z)
#undef ARR_BATCHED

template <class T>
void solve_batched(Solving& x, void* a, int64_t k, void* b) {
  const LinalgCall& c = x.c;
  const Cublas& lib = cublas();
  const Addresses all_a(x, a, c.n * c.n * x.item), all_b(x, b, c.n * k * x.item);
  const Scratch pivots(x.d, x.s, x.count * c.n * int64_t{sizeof(int32_t)});
  const int n = blas_size(c.n), nrhs = blas_size(k), count = blas_size(x.count);
  int bad = 0;
  const std::lock_guard lock(x.s.mutex);
  cublasHandle_t h = blas_handle(x.s);
  check_blas(
      x.d, (lib.*Batched<T>::getrf)(h, n, all_a.get<T>(), n, static_cast<int*>(pivots.data()), c.info, count),
      "cublasgetrfBatched", x.s);
  check_blas(x.d,
             (lib.*Batched<T>::getrs)(h, operation(c.op), n, nrhs, all_a.get<const T>(), n,
                                      static_cast<const int*>(pivots.data()), all_b.get<T>(), n, &bad, count),
             "cublasgetrsBatched", x.s);
}

template <class T>
void solve_triangles(Solving& x, const void* a) {
  const LinalgCall& c = x.c;
  const int n = blas_size(c.n), k = blas_size(c.k);
  // 1 of any type: complex ones read both parts.
  static constexpr double one64[2] = {1, 0};
  static constexpr float one32[2] = {1, 0};
  const bool wide = x.real == CUDA_R_64F;
  const T* one = wide ? reinterpret_cast<const T*>(one64) : reinterpret_cast<const T*>(one32);
  for (int64_t i = 0; i < x.count; ++i) {
    const auto* matrix = reinterpret_cast<const T*>(static_cast<const char*>(a) + i * c.n * c.n * x.item);
    const std::lock_guard lock(x.s.mutex);
    check_blas(
        x.d,
        (cublas().*Batched<T>::trsm)(blas_handle(x.s), CUBLAS_SIDE_LEFT, fill_mode(c.lower), operation(c.op),
                                     c.unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, k, one, matrix, n,
                                     static_cast<T*>(piece(c.x, i, c.n * c.k * x.item)), n),
        "cublastrsm", x.s);
  }
}

template <class F>
void by_type(DType d, F&& f) {
  switch (d) {
    case DType::float32_:
      return f(static_cast<float*>(nullptr));
    case DType::float64_:
      return f(static_cast<double*>(nullptr));
    case DType::complex64_:
      return f(static_cast<cuComplex*>(nullptr));
    default:
      return f(static_cast<cuDoubleComplex*>(nullptr));
  }
}

// b -> x, in place, of the matrices at `a`, which are overwritten.
void solve_in_place(Solving& x, void* a, int64_t k, void* b) {
  constexpr int64_t small = 256;
  if (x.count > 1 && x.c.n <= small && x.count <= int32_most) {
    return by_type(x.c.dtype,
                   [&](auto* of) { solve_batched<std::remove_pointer_t<decltype(of)>>(x, a, k, b); });
  }
  const Scratch pivots(x.d, x.s, x.count * x.c.n * int64_t{sizeof(int64_t)});
  factor(x, a, static_cast<int64_t*>(pivots.data()));
  substitute(x, a, static_cast<const int64_t*>(pivots.data()), k, b);
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
  const Scratch pivots(x.d, x.s, all * int64_t{sizeof(int64_t)});
  factor(x, c.x, static_cast<int64_t*>(pivots.data()));
  x.convert(pivots.data(), DType::int64_, c.pivots, DType::int32_, all);
}

void lu_solve(Solving& x) {
  const LinalgCall& c = x.c;
  const Scratch a(x.d, x.s, x.count * c.n * c.n * x.item);
  x.stack(c.a, c.n, c.n, false, c.dtype, a.data());
  x.stack(c.b, c.n, c.k, false, c.dtype, c.x);
  const Scratch pivots(x.d, x.s, x.count * c.n * int64_t{sizeof(int64_t)});
  x.convert(c.pivots, DType::int32_, pivots.data(), DType::int64_, x.count * c.n);
  substitute(x, a.data(), static_cast<const int64_t*>(pivots.data()), c.k, c.x);
}

void triangular(Solving& x) {
  const LinalgCall& c = x.c;
  const Scratch a(x.d, x.s, x.count * c.n * c.n * x.item);
  x.stack(c.a, c.n, c.n, false, c.dtype, a.data());
  x.stack(c.b, c.n, c.k, false, c.dtype, c.x);
  by_type(c.dtype, [&](auto* of) { solve_triangles<std::remove_pointer_t<decltype(of)>>(x, a.data()); });
}

void cholesky(Solving& x) {
  const LinalgCall& c = x.c;
  const Cusolver& lib = cusolver();
  x.stack(c.a, c.n, c.n, false, c.dtype, c.x);
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

// Householder's vectors and factors of each matrix at c.x as columns of Q at c.left.
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

void qr(Solving& x) {
  const LinalgCall& c = x.c;
  const Cusolver& lib = cusolver();
  const int64_t least = std::min(c.m, c.n);
  x.stack(c.a, c.m, c.n, false, c.dtype, c.x);
  Workspace w;
  x.run("cusolverDnXgeqrf_bufferSize", [&](cusolverDnHandle_t h, cusolverDnParams_t p) {
    return lib.cusolverDnXgeqrf_bufferSize(h, p, c.m, c.n, x.type, c.x, c.m, x.type, c.values, x.type,
                                           &w.device_bytes, &w.host_bytes);
  });
  w.reserve(x.d, x.s);
  x.run_each("cusolverDnXgeqrf", [&](cusolverDnHandle_t h, cusolverDnParams_t p, int64_t i) {
    return lib.cusolverDnXgeqrf(h, p, c.m, c.n, x.type, piece(c.x, i, c.m * c.n * x.item), c.m, x.type,
                                piece(c.values, i, least * x.item), x.type, w.device_data(), w.device_bytes,
                                w.host.data(), w.host_bytes, c.info + i);
  });
  if (c.columns == 0) return;
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

}  // namespace

void linalg(Device& d, const LinalgCall& call, Stream& s) {
  cusolver();  // or say why not before anything is done
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
    case LinalgKind::svd:
      return svd(x);
    case LinalgKind::eigh:
      return eigh(x);
    case LinalgKind::eig:
      return eig(x);
    case LinalgKind::triangular:
      return triangular(x);
  }
}

}  // namespace arr::cuda
