// SPDX-License-Identifier: MIT
// Stacks of small matrices as one call of the libraries' batched functions, which read an address per matrix;
// and triangular solves, for which cuBLAS takes stacks of any size.
#include <algorithm>

#include "array/layout.h"
#include "backend/linalg.h"
#include "backend/matmul.h"
#include "cuda/linalg/blas.h"
#include "cuda/linalg/solver.h"

namespace arr::cuda {

namespace {

// An address per matrix, written by the device, so that nothing waits.
class Addresses {
 public:
  Addresses(Solving& x, const MatmulCall::Matrix& matrix)
      : memory_(x.d, x.s, x.count * int64_t{sizeof(void*)}) {
    const LinalgCall& c = x.c;
    int64_t to[max_ndim + 1] = {sizeof(void*)};
    int64_t step = sizeof(void*);
    for (int32_t i = c.nbatch; i-- > 0; step *= c.batch_shape[i]) to[i] = step;
    const auto first = static_cast<int64_t>(reinterpret_cast<uintptr_t>(matrix.data));
    const Operand both[] = {{ramp_at(first), matrix.batch, {}, true}, {memory_.data(), to, {}}};
    x.map(single_cast(DType::int64_, DType::int64_), c.nbatch, c.batch_shape, both);
  }
  // The addresses of a contiguous stack.
  Addresses(Solving& x, void* first, int64_t bytes) : Addresses(x, Steps(x, first, bytes).matrix) {}
  template <class T>
  [[nodiscard]] T* const* get() const {
    return static_cast<T* const*>(memory_.data());
  }

 private:
  struct Steps {
    Steps(const Solving& x, void* first, int64_t step) {
      for (int32_t i = x.c.nbatch; i-- > 0; step *= x.c.batch_shape[i]) steps[i] = step;
      matrix = {first, 0, 0, steps};
    }
    Steps(const Steps&) = delete;
    Steps& operator=(const Steps&) = delete;
    ~Steps() = default;
    int64_t steps[max_ndim];
    MatmulCall::Matrix matrix;
  };
  Scratch memory_;
};

template <class T>
struct Batched;
#define ARR_BATCHED(T, RealT, letter)                                                            \
  template <>                                                                                    \
  struct Batched<T> {                                                                            \
    using Real = RealT;                                                                          \
    static constexpr auto getrf = &Cublas::cublas##letter##getrfBatched;                         \
    static constexpr auto getrs = &Cublas::cublas##letter##getrsBatched;                         \
    static constexpr auto geqrf = &Cublas::cublas##letter##geqrfBatched;                         \
    static constexpr auto trsm = &Cublas::cublas##letter##trsm_v2;                               \
    static constexpr auto trsm_all = &Cublas::cublas##letter##trsmBatched;                       \
    static constexpr auto potrf = &Cusolver::cusolverDn##letter##potrfBatched;                   \
    static constexpr auto gesvdj_size = &Cusolver::cusolverDn##letter##gesvdjBatched_bufferSize; \
    static constexpr auto gesvdj = &Cusolver::cusolverDn##letter##gesvdjBatched;                 \
  };
ARR_BATCHED(float, float, S)
ARR_BATCHED(double, double, D)
ARR_BATCHED(cuComplex, float, C)
ARR_BATCHED(cuDoubleComplex, double, Z)
#undef ARR_BATCHED

// f of a T* for the type of the call.
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

template <class T>
void solve_triangles(Solving& x, const Readable& a) {
  const LinalgCall& c = x.c;
  const int n = blas_size(c.n), k = blas_size(c.k), ld = blas_size(a.ld);
  const cublasFillMode_t uplo = fill_mode(c.lower);
  const cublasDiagType_t diagonal = c.unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
  // 1 of any type; for complex ones both parts are read.
  static constexpr double one64[2] = {1, 0};
  static constexpr float one32[2] = {1, 0};
  const bool wide = x.real == CUDA_R_64F;
  const T* one = wide ? reinterpret_cast<const T*>(one64) : reinterpret_cast<const T*>(one32);
  if (x.batched) {
    const Addresses all_a(x, a.matrix()), all_x(x, c.x, c.n * c.k * x.item);
    const BlasCall blas(x.d, x.s);
    const cublasStatus_t r = (cublas().*Batched<T>::trsm_all)(
        blas.handle(), CUBLAS_SIDE_LEFT, uplo, operation(c.op), diagonal, n, k, one,
        all_a.template get<const T>(), ld, all_x.template get<T>(), n, blas_size(x.count));
    return check_blas(x.d, r, "cublastrsmBatched", x.s);
  }
  for (int64_t i = 0; i < x.count; ++i) {
    const BlasCall blas(x.d, x.s);
    const cublasStatus_t r = (cublas().*Batched<T>::trsm)(
        blas.handle(), CUBLAS_SIDE_LEFT, uplo, operation(c.op), diagonal, n, k, one,
        static_cast<const T*>(a.at(i)), ld, static_cast<T*>(piece(c.x, i, c.n * c.k * x.item)), n);
    check_blas(x.d, r, "cublastrsm", x.s);
  }
}

// Default settings of the Jacobi method: full precision, values in descending order.
class Jacobi {
 public:
  explicit Jacobi(Solving& x) {
    x.run("cusolverDnCreateGesvdjInfo", [&](cusolverDnHandle_t, cusolverDnParams_t) {
      return cusolver().cusolverDnCreateGesvdjInfo(&info_);
    });
  }
  Jacobi(const Jacobi&) = delete;
  Jacobi& operator=(const Jacobi&) = delete;
  ~Jacobi() { cusolver().cusolverDnDestroyGesvdjInfo(info_); }
  [[nodiscard]] gesvdjInfo_t info() const { return info_; }

 private:
  gesvdjInfo_t info_ = nullptr;
};

// u (m x m) and v (n x n) are always written.
template <class T>
void jacobi(Solving& x, void* a_data, void* u_data, void* v_data) {
  using Real = typename Batched<T>::Real;
  const LinalgCall& c = x.c;
  const int m = blas_size(c.m), n = blas_size(c.n), count = blas_size(x.count);
  const cusolverEigMode_t job = c.vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  T *a = static_cast<T*>(a_data), *u = static_cast<T*>(u_data), *v = static_cast<T*>(v_data);
  Real* s = static_cast<Real*>(c.values);
  const Jacobi how(x);
  int lwork = 0;
  x.run("cusolverDngesvdjBatched_bufferSize", [&](cusolverDnHandle_t h, cusolverDnParams_t) {
    return (cusolver().*Batched<T>::gesvdj_size)(h, job, m, n, a, m, s, u, m, v, n, &lwork, how.info(),
                                                 count);
  });
  const Scratch work(x.d, x.s, std::max<int64_t>(lwork, 1) * x.item);
  x.run("cusolverDngesvdjBatched", [&](cusolverDnHandle_t h, cusolverDnParams_t) {
    return (cusolver().*Batched<T>::gesvdj)(h, job, m, n, a, m, s, u, m, v, n, static_cast<T*>(work.data()),
                                            lwork, c.info, how.info(), count);
  });
}

}  // namespace

void factor_batched(Solving& x, void* a, int32_t* pivots) {
  const int n = blas_size(x.c.n);
  const Addresses all(x, a, x.c.n * x.c.n * x.item);
  by_type(x.c.dtype, [&](auto* of) {
    using T = std::remove_pointer_t<decltype(of)>;
    const BlasCall blas(x.d, x.s);
    const cublasStatus_t r = (cublas().*Batched<T>::getrf)(blas.handle(), n, all.template get<T>(), n, pivots,
                                                           x.c.info, blas_size(x.count));
    check_blas(x.d, r, "cublasgetrfBatched", x.s);
  });
}

void substitute_batched(Solving& x, const Readable& a, const int32_t* pivots, int64_t k, void* b) {
  const int n = blas_size(x.c.n);
  const Addresses all_a(x, a.matrix()), all_b(x, b, x.c.n * k * x.item);
  by_type(x.c.dtype, [&](auto* of) {
    using T = std::remove_pointer_t<decltype(of)>;
    int bad = 0;  // the number of an invalid argument, on the host
    const BlasCall blas(x.d, x.s);
    const cublasStatus_t r = (cublas().*Batched<T>::getrs)(
        blas.handle(), operation(x.c.op), n, blas_size(k), all_a.template get<const T>(), blas_size(a.ld),
        pivots, all_b.template get<T>(), n, &bad, blas_size(x.count));
    check_blas(x.d, r, "cublasgetrsBatched", x.s);
  });
}

void cholesky_batched(Solving& x) {
  const int n = blas_size(x.c.n);
  const Addresses all(x, x.c.x, x.c.n * x.c.n * x.item);
  by_type(x.c.dtype, [&](auto* of) {
    using T = std::remove_pointer_t<decltype(of)>;
    x.run("cusolverDnpotrfBatched", [&](cusolverDnHandle_t h, cusolverDnParams_t) {
      return (cusolver().*Batched<T>::potrf)(h, fill_mode(x.c.lower), n,
                                             const_cast<T**>(all.template get<T>()), n, x.c.info,
                                             blas_size(x.count));
    });
  });
}

void qr_batched(Solving& x) {
  const LinalgCall& c = x.c;
  const Addresses all(x, c.x, c.m * c.n * x.item), factors(x, c.values, std::min(c.m, c.n) * x.item);
  by_type(c.dtype, [&](auto* of) {
    using T = std::remove_pointer_t<decltype(of)>;
    int bad = 0;  // the number of an invalid argument, on the host
    const BlasCall blas(x.d, x.s);
    const cublasStatus_t r =
        (cublas().*Batched<T>::geqrf)(blas.handle(), blas_size(c.m), blas_size(c.n), all.template get<T>(),
                                      blas_size(c.m), factors.template get<T>(), &bad, blas_size(x.count));
    check_blas(x.d, r, "cublasgeqrfBatched", x.s);
  });
}

// cuSOLVER returns full U and V, not the adjoint of V.
void svd_batched(Solving& x, void* a) {
  const LinalgCall& c = x.c;
  const int64_t min_mn = std::min(c.m, c.n), left = c.full ? c.m : min_mn, right = c.full ? c.n : min_mn;
  const Scratch v(x.d, x.s, x.count * c.n * c.n * x.item);
  std::optional<Scratch> whole_u;
  void* u = c.left;
  if (!c.vectors || left != c.m) u = whole_u.emplace(x.d, x.s, x.count * c.m * c.m * x.item).data();
  by_type(c.dtype, [&](auto* of) { jacobi<std::remove_pointer_t<decltype(of)>>(x, a, u, v.data()); });
  if (!c.vectors) return;
  if (u != c.left) x.copy_columns(u, c.m, c.left, left, c.m, left);
  x.adjoint_of_columns(v.data(), c.n, c.right, c.n, right);
}

void eigh_batched(Solving& x, void* a, cusolverEigMode_t job) {
  const LinalgCall& c = x.c;
  const Cusolver& lib = cusolver();
  Workspace w;
  x.run("cusolverDnXsyevBatched_bufferSize", [&](cusolverDnHandle_t h, cusolverDnParams_t p) {
    return lib.cusolverDnXsyevBatched_bufferSize(h, p, job, fill_mode(c.lower), c.n, x.type, a, c.n, x.real,
                                                 c.values, x.type, &w.device_bytes, &w.host_bytes, x.count);
  });
  w.reserve(x.d, x.s);
  x.run("cusolverDnXsyevBatched", [&](cusolverDnHandle_t h, cusolverDnParams_t p) {
    return lib.cusolverDnXsyevBatched(h, p, job, fill_mode(c.lower), c.n, x.type, a, c.n, x.real, c.values,
                                      x.type, w.device_data(), w.device_bytes, w.host.data(), w.host_bytes,
                                      c.info, x.count);
  });
}

void triangular(Solving& x) {
  const LinalgCall& c = x.c;
  const Readable a(x);
  x.stack(c.b, c.n, c.k, false, c.dtype, c.x);
  by_type(c.dtype, [&](auto* of) { solve_triangles<std::remove_pointer_t<decltype(of)>>(x, a); });
}

}  // namespace arr::cuda
