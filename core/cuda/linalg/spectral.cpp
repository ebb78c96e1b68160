// SPDX-License-Identifier: MIT
// Singular values and eigenvalues by cuSOLVER, matrix by matrix; stacks of small ones go to batched.cpp.
// Schur forms and Sylvester's equations of their triangles by generated kernels, because cuSOLVER has none.
#include <algorithm>

#include "backend/linalg.h"
#include "cuda/codegen/kernels.h"
#include "cuda/linalg/emit_schur.h"
#include "cuda/linalg/solver.h"

namespace arr::cuda {

namespace {

// cuSOLVER does not accept matrices with fewer rows than columns: these use the decomposition of the
// transpose, a^T = conj(V) S U^T, whose factors are transposed back.
void svd_each(Solving& x) {
  const LinalgCall& c = x.c;
  const Cusolver& lib = cusolver();
  const bool turned = c.m < c.n;
  const int64_t m = std::max(c.m, c.n), n = std::min(c.m, c.n), columns = c.full ? m : n;
  const signed char job = !c.vectors ? 'N' : c.full ? 'A' : 'S';
  const Scratch a(x.d, x.s, x.count * m * n * x.item);
  x.stack(c.a, c.m, c.n, turned, c.dtype, a.data());
  Finite finite(x, a.data(), c.dtype, m * n);
  std::optional<Scratch> turned_u, turned_vt;
  void *u = c.left, *vt = c.right;
  if (turned && c.vectors) {
    turned_u.emplace(x.d, x.s, x.count * m * columns * x.item);
    turned_vt.emplace(x.d, x.s, x.count * n * n * x.item);
    u = turned_u->data();
    vt = turned_vt->data();
  }
  Workspace w;
  x.run("cusolverDnXgesvd_bufferSize", [&](cusolverDnHandle_t h, cusolverDnParams_t p) {
    return lib.cusolverDnXgesvd_bufferSize(h, p, job, job, m, n, x.type, a.data(), m, x.real, c.values,
                                           x.type, u, m, x.type, vt, n, x.type, &w.device_bytes,
                                           &w.host_bytes);
  });
  w.reserve(x.d, x.s);
  x.run_each("cusolverDnXgesvd", [&](cusolverDnHandle_t h, cusolverDnParams_t p, int64_t i) {
    void* ui = u == nullptr ? nullptr : piece(u, i, m * columns * x.item);
    void* vti = vt == nullptr ? nullptr : piece(vt, i, n * n * x.item);
    return lib.cusolverDnXgesvd(h, p, job, job, m, n, x.type, piece(a.data(), i, m * n * x.item), m, x.real,
                                piece(c.values, i, n * item_size(real_type(c.dtype))), x.type, ui, m, x.type,
                                vti, n, x.type, w.device_data(), w.device_bytes, w.host.data(), w.host_bytes,
                                c.info + i);
  });
  finite.tell();
  if (!turned_u) return;
  x.transpose(u, m, columns, c.right);
  x.transpose(vt, n, n, c.left);
}

void eigh_each(Solving& x, void* a, cusolverEigMode_t job) {
  const LinalgCall& c = x.c;
  const Cusolver& lib = cusolver();
  const cublasFillMode_t uplo = fill_mode(c.lower);
  Workspace w;
  x.run("cusolverDnXsyevd_bufferSize", [&](cusolverDnHandle_t h, cusolverDnParams_t p) {
    return lib.cusolverDnXsyevd_bufferSize(h, p, job, uplo, c.n, x.type, a, c.n, x.real, c.values, x.type,
                                           &w.device_bytes, &w.host_bytes);
  });
  w.reserve(x.d, x.s);
  x.run_each("cusolverDnXsyevd", [&](cusolverDnHandle_t h, cusolverDnParams_t p, int64_t i) {
    return lib.cusolverDnXsyevd(h, p, job, uplo, c.n, x.type, piece(a, i, c.n * c.n * x.item), c.n, x.real,
                                piece(c.values, i, c.n * item_size(real_type(c.dtype))), x.type,
                                w.device_data(), w.device_bytes, w.host.data(), w.host_bytes, c.info + i);
  });
}

}  // namespace

void svd(Solving& x) {
  const LinalgCall& c = x.c;
  if (!x.batched) return svd_each(x);
  const Scratch a(x.d, x.s, x.count * c.m * c.n * x.item);
  x.stack(c.a, c.m, c.n, false, c.dtype, a.data());
  Finite finite(x, a.data(), c.dtype, c.m * c.n);
  svd_batched(x, a.data());
  finite.tell();
}

void eigh(Solving& x) {
  const LinalgCall& c = x.c;
  std::optional<Scratch> scratch;
  if (!c.vectors) scratch.emplace(x.d, x.s, x.count * c.n * c.n * x.item);
  void* a = c.vectors ? c.x : scratch->data();
  x.stack(c.a, c.n, c.n, false, c.dtype, a);
  Finite finite(x, a, c.dtype, c.n * c.n);
  const cusolverEigMode_t job = c.vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  if (x.batched) {
    eigh_batched(x, a, job);
  } else {
    eigh_each(x, a, job);
  }
  finite.tell();
}

// Computes with complex matrices, because for real ones cuSOLVER returns the vectors in pairs of columns.
void eig(Solving& x) {
  const LinalgCall& c = x.c;
  const Cusolver& lib = cusolver();
  if (lib.cusolverDnXgeev == nullptr || lib.cusolverDnXgeev_bufferSize == nullptr) {
    fail(ARR_E_UNSUPPORTED,
         "eigenvalues of general matrices: this cuSOLVER has no cusolverDnXgeev, which is there "
         "from CUDA 12.8 on");
  }
  const DType complex = promote(c.dtype, DType::complex64_);
  const cudaDataType type = data_type(complex);
  const int64_t item = item_size(complex);
  const Scratch a(x.d, x.s, x.count * c.n * c.n * item);
  x.stack(c.a, c.n, c.n, false, complex, a.data());
  Finite finite(x, a.data(), complex, c.n * c.n);
  const cusolverEigMode_t none = CUSOLVER_EIG_MODE_NOVECTOR,
                          job = c.vectors ? CUSOLVER_EIG_MODE_VECTOR : none;
  Workspace w;
  x.run("cusolverDnXgeev_bufferSize", [&](cusolverDnHandle_t h, cusolverDnParams_t p) {
    return lib.cusolverDnXgeev_bufferSize(h, p, none, job, c.n, type, a.data(), c.n, type, c.values, type,
                                          nullptr, c.n, type, c.x, c.n, type, &w.device_bytes, &w.host_bytes);
  });
  w.reserve(x.d, x.s);
  x.run_each("cusolverDnXgeev", [&](cusolverDnHandle_t h, cusolverDnParams_t p, int64_t i) {
    void* vectors = c.vectors ? piece(c.x, i, c.n * c.n * item) : nullptr;
    return lib.cusolverDnXgeev(h, p, none, job, c.n, type, piece(a.data(), i, c.n * c.n * item), c.n, type,
                               piece(c.values, i, c.n * item), type, nullptr, c.n, type, vectors, c.n, type,
                               w.device_data(), w.device_bytes, w.host.data(), w.host_bytes, c.info + i);
  });
  finite.tell();
}

namespace {

// Launches a kernel with a block per matrix, of at most 1024 blocks.
void launch_each(Solving& x, Kernels& kernels, std::string (*emit)(DType), Arguments& args) {
  KernelKey key;
  key.shape = static_cast<uint64_t>(x.c.dtype);
  key.device = x.d.index;
  const Kernel& kernel = kernels.get(
      x.d, key, [&] { return emit(x.c.dtype); },
      [&] { return text(name(x.c.kind), " of ", name(x.c.dtype)); }, [] { return Words{}; });
  constexpr int64_t max_blocks = 1024;
  launch(x.d, kernel, {std::min(x.count, max_blocks), 1, schur_threads, 1}, args, x.s);
}

}  // namespace

void schur(Solving& x) {
  static auto* kernels = new Kernels;
  const LinalgCall& c = x.c;
  x.stack(c.a, c.n, c.n, false, c.dtype, c.x);
  Finite finite(x, c.x, c.dtype, c.n * c.n);
  Arguments args(schur_words);
  args.set(schur_count, x.count);
  args.set(schur_n, c.n);
  args.set(schur_t, c.x);
  args.set(schur_q, c.left);
  args.set(schur_info, c.info);
  launch_each(x, *kernels, emit_schur, args);
  finite.tell();
}

void sylvester(Solving& x) {
  static auto* kernels = new Kernels;
  const LinalgCall& c = x.c;
  const Scratch a(x.d, x.s, x.count * c.m * c.m * x.item), b(x.d, x.s, x.count * c.n * c.n * x.item);
  x.stack(c.a, c.m, c.m, false, c.dtype, a.data());
  x.stack(c.b, c.n, c.n, false, c.dtype, b.data());
  Arguments args(sylvester_words);
  args.set(sylvester_count, x.count);
  args.set(sylvester_m, c.m);
  args.set(sylvester_n, c.n);
  args.set(sylvester_a, a.data());
  args.set(sylvester_b, b.data());
  args.set(sylvester_x, c.x);
  launch_each(x, *kernels, emit_sylvester, args);
}

}  // namespace arr::cuda
