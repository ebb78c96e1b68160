// SPDX-License-Identifier: MIT
// Products of stacks of matrices.
#pragma once

#include <complex>
#include <cstdint>

#include "arr/linalg.h"
#include "array/dtype.h"
#include "backend/visit.h"

namespace arr {

// The compute type of a product in cuBLAS; the host and generated kernels have only the first.
enum class MatmulCompute : int32_t {
  standard = ARR_COMPUTE_DEFAULT,
  pedantic = ARR_COMPUTE_PEDANTIC,
  float16 = ARR_COMPUTE_FLOAT16,
  bfloat16 = ARR_COMPUTE_BFLOAT16,
  tf32 = ARR_COMPUTE_TF32
};

// Applied to each element of a product before it is rounded: max(x, 0), with an unspecified result for nan,
// and the tanh form of gelu as a library approximates it.
enum class MatmulActivation : int32_t { none, relu, gelu_tanh };

// c[b] = a[b] @ b[b] for every batch index b. Strides are in bytes and arbitrary, also 0 for batches.
struct MatmulCall {
  DType dtype = DType::none;
  MatmulCompute compute = MatmulCompute::standard;
  int64_t m = 0, n = 0, k = 0;
  int32_t nbatch = 0;
  const int64_t* batch_shape = nullptr;
  struct Matrix {
    void* data = nullptr;
    int64_t row = 0, column = 0;     // strides in bytes of rows (columns)
    const int64_t* batch = nullptr;  // bytes per batch dimension
  } a, b, c;
  // c[b] = activation(alpha a[b] @ b[b] + beta added[b]). A backend may decline other values than these. As
  // in BLAS, operands multiplied by 0 are not read, so nan and inf in them have no effect.
  std::complex<double> alpha = 1, beta = 0;
  Matrix added;  // its strides may be 0. Without data c itself is used; otherwise it shares no memory with c
  MatmulActivation activation = MatmulActivation::none;

  // True for a product without an epilogue.
  [[nodiscard]] bool plain() const noexcept {
    return alpha == 1.0 && beta == 0.0 && added.data == nullptr && activation == MatmulActivation::none;
  }
};

template <class Visitor>
void visit(Visitor& v, MatmulCall& c) {
  const bool adds = c.added.data != nullptr;
  v.name([&] { return adds || c.activation != MatmulActivation::none ? "gemm" : "matmul"; });
  int64_t batches = 1;
  for (int32_t d = 0; d < c.nbatch; ++d) batches *= c.batch_shape[d];
  const int64_t extents[] = {batches, c.m, c.k, c.n};
  v.extents(extents, 4);
  v.numbers(c.batch_shape, c.nbatch);
  for (MatmulCall::Matrix* m : {&c.a, &c.b, &c.c, &c.added}) v.numbers(m->batch, c.nbatch);
  v.bytes([&] {
    const int64_t added = adds ? (c.added.row == 0 ? 1 : c.m) * (c.added.column == 0 ? 1 : c.n) : 0;
    return batches * item_size(c.dtype) * (c.m * c.k + c.k * c.n + c.m * c.n + added);
  });
}

}  // namespace arr
