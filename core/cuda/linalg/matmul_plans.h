// SPDX-License-Identifier: MIT
// Products of cuBLASLt: their descriptions, and a cache per device of the algorithms found.
#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "base/plan_cache.h"
#include "cuda/linalg/gemm.h"

namespace arr::cuda {

// A matrix of a product: its leading dimension and the step to the next product, in elements, and the
// alignment of all its addresses, in bytes.
struct LtMatrix {
  int64_t ld = 1, step = 0, alignment = 256;
  friend bool operator==(const LtMatrix&, const LtMatrix&) = default;
};

// d = epilogue(alpha op(a) op(b) + beta c), column-major, d and c m x n. The bias is a vector of m.
struct LtKey {
  BlasType type{};
  int64_t m = 0, n = 0, k = 0, count = 1;
  bool transpose_a = false, transpose_b = false;
  LtMatrix a, b, c, d, bias;  // bias: only its step and alignment
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  [[nodiscard]] bool biased() const { return (epilogue & CUBLASLT_EPILOGUE_BIAS) != 0; }
  [[nodiscard]] std::array<int64_t, 23> words() const {
    return {type.data,      type.compute, m,           n,           k,           count,       transpose_a,
            transpose_b,    a.ld,         a.step,      b.ld,        b.step,      c.ld,        c.step,
            d.ld,           d.step,       a.alignment, b.alignment, c.alignment, d.alignment, bias.step,
            bias.alignment, epilogue};
  }
  friend bool operator==(const LtKey& x, const LtKey& y) { return x.words() == y.words(); }
};

struct LtArguments {
  Scale alpha, beta;
  const void *a = nullptr, *b = nullptr, *c = nullptr, *bias = nullptr;
  void* d = nullptr;
};

// The algorithm of cuBLASLt, or the fact that it has none.
class LtPlan {
 public:
  LtPlan(Device& d, const LtKey& key, const CublasLt& lt);
  [[nodiscard]] bool works() const { return works_; }
  void run(Device& d, const LtArguments& x, Stream& s) const;

  int64_t bytes = 0;  // the algorithm keeps no state on the device

 private:
  template <class Opaque>
  using Owned = std::unique_ptr<Opaque, cublasStatus_t (*)(Opaque*)>;
  using Layout = Owned<std::remove_pointer_t<cublasLtMatrixLayout_t>>;
  static Layout layout(const CublasLt& lt, const LtKey& key, int64_t rows, int64_t columns,
                       const LtMatrix& matrix);
  void describe(const LtKey& key);
  void search(Device& d, const LtKey& key);

  const CublasLt& lt_;
  cublasLtHandle_t handle_;
  Owned<std::remove_pointer_t<cublasLtMatmulDesc_t>> desc_;
  Layout a_, b_, c_, d_;
  bool works_ = false, biased_;
  cublasLtMatmulAlgo_t algorithm_{};
  int64_t workspace_ = 0;
  mutable std::mutex mutex_;  // the description holds the bias's address
};

using LtPlans = PlanCache<LtKey, LtPlan, HashWords<LtKey>>;
// The cache of a device; never destroyed.
LtPlans& lt_plans(int32_t device);

}  // namespace arr::cuda
