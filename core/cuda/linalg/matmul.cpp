// SPDX-License-Identifier: MIT
// Matrix products: cuBLAS for its dtypes and strides, cuBLASLt for epilogues, a generated kernel for the
// rest.
#include <cstring>

#include "array/layout.h"
#include "backend/matmul.h"
#include "cuda/codegen/kernels.h"
#include "cuda/codegen/offsets.h"
#include "cuda/linalg/blas.h"
#include "cuda/linalg/calls.h"
#include "cuda/linalg/emit_matmul.h"
#include "cuda/linalg/gemm.h"

namespace arr::cuda {

namespace {

cublasComputeType_t in_single(MatmulCompute c) {
  switch (c) {
    case MatmulCompute::pedantic:
      return CUBLAS_COMPUTE_32F_PEDANTIC;
    case MatmulCompute::float16:
      return CUBLAS_COMPUTE_32F_FAST_16F;
    case MatmulCompute::bfloat16:
      return CUBLAS_COMPUTE_32F_FAST_16BF;
    case MatmulCompute::tf32:
      return CUBLAS_COMPUTE_32F_FAST_TF32;
    default:
      return CUBLAS_COMPUTE_32F;
  }
}

cublasComputeType_t in_double(MatmulCompute c) {
  return c == MatmulCompute::pedantic ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F;
}

std::optional<BlasType> blas_type(DType d, MatmulCompute c) {
  switch (d) {
    case DType::float16_:
      return BlasType{CUDA_R_16F, c == MatmulCompute::float16 ? CUBLAS_COMPUTE_16F : in_single(c)};
    case DType::bfloat16_:
      return BlasType{CUDA_R_16BF, in_single(c)};
    case DType::float32_:
      return BlasType{CUDA_R_32F, in_single(c)};
    case DType::float64_:
      return BlasType{CUDA_R_64F, in_double(c)};
    case DType::complex64_:
      return BlasType{CUDA_C_32F, in_single(c)};
    case DType::complex128_:
      return BlasType{CUDA_C_64F, in_double(c)};
    default:
      return std::nullopt;
  }
}

}  // namespace

Scale::Scale(std::complex<double> x, cublasComputeType_t compute) {
  auto put = [this](const auto& number) { std::memcpy(bytes, &number, sizeof number); };
  if (compute == CUBLAS_COMPUTE_16F) {
    put(arr_cast<arr_half>(x.real()));
  } else if (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC) {
    put(x);
  } else {
    put(std::complex<float>(x));
  }
}

std::optional<BlasMatrix> blas_matrix(int64_t rows, int64_t columns, int64_t row, int64_t column,
                                      int64_t item) {
  auto fits = [item](int64_t inner_extent, int64_t inner, int64_t outer_extent, int64_t outer, int64_t* ld) {
    if (inner_extent > 1 && inner != item) return false;
    *ld = std::max<int64_t>(inner_extent, 1);
    if (outer_extent <= 1) return true;
    if (outer % item != 0 || outer < *ld * item) return false;
    *ld = outer / item;
    return *ld <= INT32_MAX;
  };
  BlasMatrix m;
  if (fits(rows, row, columns, column, &m.ld)) return m;
  m.transposed = true;
  if (fits(columns, column, rows, row, &m.ld)) return m;
  return std::nullopt;
}

std::optional<Gemm> gemm_of(const MatmulCall& call) {
  std::optional<BlasType> type = blas_type(call.dtype, call.compute);
  if (!type || std::max({call.m, call.n, call.k}) > INT32_MAX || call.k == 0) return std::nullopt;
  int64_t item = item_size(call.dtype);
  auto a = blas_matrix(call.m, call.k, call.a.row, call.a.column, item);
  auto b = blas_matrix(call.k, call.n, call.b.row, call.b.column, item);
  auto c = blas_matrix(call.m, call.n, call.c.row, call.c.column, item);
  if (!a || !b || !c) return std::nullopt;
  for (int32_t d = 0; d < call.nbatch; ++d) {
    // cuBLAS takes strides between batches in whole elements only.
    if (call.a.batch[d] % item != 0 || call.b.batch[d] % item != 0 || call.c.batch[d] % item != 0) {
      return std::nullopt;
    }
    if (call.added.data != nullptr && call.added.batch[d] % item != 0) return std::nullopt;
  }
  Gemm g{*type,
         c->transposed,
         *a,
         *b,
         *c,
         static_cast<int>(call.m),
         static_cast<int>(call.n),
         static_cast<int>(call.k)};
  if (g.swapped) {
    std::swap(g.a, g.b);
    std::swap(g.m, g.n);
    g.a.transposed = !g.a.transposed;
    g.b.transposed = !g.b.transposed;
  }
  return g;
}

namespace {

void run_gemm(Device& d, const Gemm& g, const MatmulCall& call, Stack stack, Stream& s) {
  const Scale alpha(call.alpha, g.type.compute), beta(call.beta, g.type.compute);
  int64_t item = item_size(call.dtype);
  if (g.swapped) {
    std::swap(stack.a, stack.b);
    std::swap(stack.step_a, stack.step_b);
  }
  const BlasCall blas(d, s);
  cublasStatus_t r = cublas().cublasGemmStridedBatchedEx(
      blas.handle(), g.a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, g.b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
      g.m, g.n, g.k, alpha.bytes, stack.a, g.type.data, static_cast<int>(g.a.ld), stack.step_a / item,
      stack.b, g.type.data, static_cast<int>(g.b.ld), stack.step_b / item, beta.bytes, stack.c, g.type.data,
      static_cast<int>(g.c.ld), stack.step_c / item, static_cast<int>(stack.count), g.type.compute,
      CUBLAS_GEMM_DEFAULT);
  check_blas(d, r, "cublasGemmStridedBatchedEx", s);
}

void by_cublas(Device& d, const Gemm& g, const MatmulCall& call, Stream& s) {
  each_stack(call, [&](const Stack& all) {
    Stack part = all;
    for (int64_t from = 0; from < all.count; from += INT32_MAX) {
      part.count = std::min<int64_t>(all.count - from, INT32_MAX);
      run_gemm(d, g, call, part, s);
      part.a += part.count * all.step_a;
      part.b += part.count * all.step_b;
      part.c += part.count * all.step_c;
    }
  });
}

Kernels& matmul_kernels() {
  static auto* k = new Kernels;
  return *k;
}

void by_kernel(Device& d, const MatmulCall& call, Stream& s) {
  KernelKey key;
  key.shape = static_cast<uint64_t>(call.dtype);
  key.device = d.index;
  const Kernel& kernel = matmul_kernels().get(
      d, key, [&] { return emit_matmul(call.dtype); }, [&] { return text("matmul of ", name(call.dtype)); },
      [] { return Words{}; });
  int64_t batches = 1;
  for (int32_t i = 0; i < call.nbatch; ++i) batches *= call.batch_shape[i];
  Arguments args(matmul_words);
  const int64_t numbers[] = {
      call.m,     call.n,        call.k,     batches,       0,          0, 0, call.a.row, call.a.column,
      call.b.row, call.b.column, call.c.row, call.c.column, call.nbatch};
  for (int32_t i = 0; i < 14; ++i) args.set(i, numbers[i]);
  args.set(4, call.a.data);
  args.set(5, call.b.data);
  args.set(6, call.c.data);
  for (int32_t i = 0; i < call.nbatch; ++i) {
    const int64_t dim[] = {call.batch_shape[i], call.a.batch[i], call.b.batch[i], call.c.batch[i]};
    for (int32_t j = 0; j < 4; ++j) args.set(14 + 4 * i + j, dim[j]);
  }
  for (int32_t i = 14 + 4 * call.nbatch; i < matmul_words; ++i) args.set(i, int64_t{0});
  Grid g;
  g.x = checked::mul(checked::ceil_div(call.m, matmul_tile), checked::ceil_div(call.n, matmul_tile), "tiles");
  g.y = std::min<int64_t>(batches, 65535);
  g.block_x = block_threads;
  launch(d, kernel, g, args, s);
}

}  // namespace

void matmul(Device& d, const MatmulCall& call, Stream& s) {
  if (call.nbatch > max_ndim) fail(ARR_E_SHAPE, "matmul: ", call.nbatch, " batch dimensions");
  if (std::optional<Gemm> g = gemm_of(call)) {
    s.last_work.store("matmul", std::memory_order_relaxed);
    wants_lt(call) ? by_lt(d, *g, call, s) : by_cublas(d, *g, call, s);
  } else if (call.plain()) {
    by_kernel(d, call, s);
  } else {
    fail(ARR_E_UNSUPPORTED, "matmul: types or strides that cuBLAS does not take");
  }
}

}  // namespace arr::cuda
