// SPDX-License-Identifier: MIT
// Products by cuBLASLt: which requests it supports, and their descriptions.
#include <bit>

#include "backend/matmul.h"
#include "cuda/codegen/offsets.h"
#include "cuda/linalg/matmul_plans.h"

namespace arr::cuda {

namespace {

bool is_complex_type(cudaDataType t) { return t == CUDA_C_32F || t == CUDA_C_64F; }

// The alignment of all addresses of an operand's matrices, up to the largest that matters.
int64_t alignment(const MatmulCall& call, const MatmulCall::Matrix& x) {
  auto bits = reinterpret_cast<uintptr_t>(x.data) | 256U;
  for (int32_t d = 0; d < call.nbatch; ++d) bits |= static_cast<uintptr_t>(x.batch[d]);
  return int64_t{1} << std::countr_zero(bits);
}

LtMatrix lt_matrix(const MatmulCall& call, const MatmulCall::Matrix& x, int64_t ld) {
  const int64_t step = call.nbatch == 0 ? 0 : x.batch[call.nbatch - 1] / item_size(call.dtype);
  return {ld, step, alignment(call, x)};
}

cublasLtEpilogue_t epilogue_of(MatmulActivation a) {
  switch (a) {
    case MatmulActivation::relu:
      return CUBLASLT_EPILOGUE_RELU;
    case MatmulActivation::gelu_tanh:
      return CUBLASLT_EPILOGUE_GELU;
    default:
      return CUBLASLT_EPILOGUE_DEFAULT;
  }
}

// Passes the addend as c if it is a matrix like d, or as the bias if it is the same for each of d's columns;
// epilogues require a column-major d, as Gemm has it. Returns false if it is neither.
bool add(const Gemm& g, const MatmulCall& call, LtKey* key) {
  const MatmulCall::Matrix& x = call.added;
  const int64_t item = item_size(call.dtype);
  const int64_t inner = g.swapped ? x.column : x.row, outer = g.swapped ? x.row : x.column;
  if (const auto matrix = blas_matrix(g.m, g.n, inner, outer, item); matrix && !matrix->transposed) {
    key->c = lt_matrix(call, x, matrix->ld);
    return true;
  }
  // The bias is not multiplied by beta.
  if (outer != 0 || (inner != item && g.m > 1) || call.beta != 1.0 || is_complex_type(g.type.data)) {
    return false;
  }
  key->bias = lt_matrix(call, x, 1);
  key->epilogue = (key->epilogue == CUBLASLT_EPILOGUE_DEFAULT ? 0 : key->epilogue) | CUBLASLT_EPILOGUE_BIAS;
  return true;
}

std::optional<LtKey> key_of(const Gemm& g, const MatmulCall& call) {
  if (call.activation != MatmulActivation::none && is_complex_type(g.type.data)) return std::nullopt;
  LtKey key;
  key.type = g.type;
  key.m = g.m;
  key.n = g.n;
  key.k = g.k;
  if (call.nbatch > 0) key.count = call.batch_shape[call.nbatch - 1];
  if (key.count > INT32_MAX) return std::nullopt;
  key.transpose_a = g.a.transposed;
  key.transpose_b = g.b.transposed;
  key.a = lt_matrix(call, g.swapped ? call.b : call.a, g.a.ld);
  key.b = lt_matrix(call, g.swapped ? call.a : call.b, g.b.ld);
  key.c = key.d = lt_matrix(call, call.c, g.c.ld);
  key.epilogue = epilogue_of(call.activation);
  if (call.added.data != nullptr && !add(g, call, &key)) return std::nullopt;
  return key;
}

// Returns nullptr if cuBLASLt cannot do it.
LtPlans::Held plan_of(Device& d, const Gemm& g, const MatmulCall& call, std::optional<LtKey>* key) {
  const CublasLt* lt = cublaslt();
  if (lt == nullptr) return nullptr;
  *key = key_of(g, call);
  if (!*key) return nullptr;
  const LtPlans::Held plan =
      lt_plans(d.index).get(**key, [&] { return std::make_shared<const LtPlan>(d, **key, *lt); });
  return plan->works() ? plan : nullptr;
}

}  // namespace

void by_lt(Device& d, const Gemm& g, const MatmulCall& call, Stream& s) {
  std::optional<LtKey> key;
  const LtPlans::Held plan = plan_of(d, g, call, &key);
  if (plan == nullptr) fail(ARR_E_UNSUPPORTED, "cuBLASLt has no algorithm for this product");
  const bool biased = key->biased();
  // A bias is not c: nothing is multiplied by beta then.
  LtArguments x{Scale(call.alpha, g.type.compute), Scale(biased ? 0 : call.beta, g.type.compute)};
  each_stack(call, [&](const Stack& stack) {
    x.a = g.swapped ? stack.b : stack.a;
    x.b = g.swapped ? stack.a : stack.b;
    x.c = stack.added == nullptr || biased ? stack.c : stack.added;
    x.bias = biased ? stack.added : nullptr;
    x.d = stack.c;
    plan->run(d, x, s);
  });
}

}  // namespace arr::cuda
