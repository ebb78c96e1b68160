// SPDX-License-Identifier: MIT
// Products as cuBLAS and cuBLASLt see them: stacks of column-major matrices with leading dimensions.
#pragma once

#include <algorithm>
#include <optional>

#include "backend/matmul.h"
#include "cuda/device/device.h"
#include "math/scalar.h"

namespace arr::cuda {

struct BlasType {
  cudaDataType data;
  cublasComputeType_t compute;
};

// A number in a compute type; for complex ones both parts are read.
struct Scale {
  Scale(std::complex<double> x, cublasComputeType_t compute);
  alignas(16) char bytes[16] = {};
};

// A matrix as BLAS sees it: column-major with a leading dimension, or the transpose of that.
struct BlasMatrix {
  bool transposed = false;
  int64_t ld = 1;  // elements
};
// rows x columns with these strides as column-major (directly or transposed); nullopt if neither is possible.
std::optional<BlasMatrix> blas_matrix(int64_t rows, int64_t columns, int64_t row, int64_t column,
                                      int64_t item);

// One call: c = a @ b in column-major terms for stacks of matrices.
struct Gemm {
  BlasType type;
  bool swapped = false;  // c is row-major: then c^T = b^T @ a^T
  BlasMatrix a, b, c;
  int m = 0, n = 0, k = 0;
};
// nullopt if BLAS does not support the dtype, strides or extents.
std::optional<Gemm> gemm_of(const MatmulCall& call);

// The stacks of a call, with the strides between matrices in bytes. a and b as in the call; `added` is null
// if the call's is.
struct Stack {
  const char *a = nullptr, *b = nullptr, *added = nullptr;
  char* c = nullptr;
  int64_t step_a = 0, step_b = 0, step_added = 0, step_c = 0, count = 1;
};
// Calls f(stack) with the fastest batch dimension as a stack, for each index of the others.
template <class F>
void each_stack(const MatmulCall& call, F&& f) {
  const int32_t last = call.nbatch - 1;
  Stack s;
  int64_t outer = 1;
  for (int32_t i = 0; i < last; ++i) outer *= call.batch_shape[i];
  const bool adds = call.added.data != nullptr;
  if (last >= 0) {
    s.count = call.batch_shape[last];
    s.step_a = call.a.batch[last];
    s.step_b = call.b.batch[last];
    s.step_c = call.c.batch[last];
    if (adds) s.step_added = call.added.batch[last];
  }
  for (int64_t o = 0; o < outer; ++o) {
    s.a = static_cast<const char*>(call.a.data);
    s.b = static_cast<const char*>(call.b.data);
    s.c = static_cast<char*>(call.c.data);
    s.added = static_cast<const char*>(call.added.data);
    int64_t rest = o;
    for (int32_t i = last - 1; i >= 0; --i) {
      const int64_t at = rest % call.batch_shape[i];
      rest /= call.batch_shape[i];
      s.a += at * call.a.batch[i];
      s.b += at * call.b.batch[i];
      s.c += at * call.c.batch[i];
      if (adds) s.added += at * call.added.batch[i];
    }
    try {
      f(s);
    } catch (const Error& e) {
      // After the first stack the call can no longer be declined.
      if (o == 0 || e.status() != ARR_E_UNSUPPORTED) throw;
      throw Error(ARR_E_DEVICE, e.text());
    }
  }
}

// Products with more than alpha and beta c go to cuBLASLt.
inline bool wants_lt(const MatmulCall& call) {
  return call.added.data != nullptr || call.activation != MatmulActivation::none;
}
// One call of cuBLASLt per stack. Throws ARR_E_UNSUPPORTED if it has no algorithm for everything requested.
void by_lt(Device& d, const Gemm& g, const MatmulCall& call, Stream& s);

}  // namespace arr::cuda
