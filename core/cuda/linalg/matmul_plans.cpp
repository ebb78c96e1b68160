// SPDX-License-Identifier: MIT
// Descriptions for cuBLASLt, and the algorithms that its heuristic finds.
#include "cuda/linalg/matmul_plans.h"

#include <map>

#include "base/log.h"
#include "cuda/linalg/blas.h"

namespace arr::cuda {

namespace {

constexpr int64_t cache_size = 256;  // plans of a device

void check(const CublasLt& lt, cublasStatus_t r, const char* function) {
  if (r == CUBLAS_STATUS_SUCCESS) return;
  fail(r == CUBLAS_STATUS_ALLOC_FAILED ? ARR_E_MEMORY : ARR_E_DEVICE, function, ": ",
       lt.cublasLtGetStatusName(r));
}

// The handle of a device, never destroyed. Calls keep no state in it, so all threads and graphs may share it.
cublasLtHandle_t handle_of(const Device& d, const CublasLt& lt) {
  static auto* mutex = new std::mutex;
  static auto* all = new std::map<int32_t, cublasLtHandle_t>;
  const std::lock_guard lock(*mutex);
  cublasLtHandle_t& handle = (*all)[d.index];
  if (handle == nullptr) check(lt, lt.cublasLtCreate(&handle), "cublasLtCreate");
  return handle;
}

// The type of alpha and beta.
cudaDataType scale_type(const BlasType& t) {
  if (t.compute == CUBLAS_COMPUTE_16F) return CUDA_R_16F;
  if (t.data == CUDA_R_16F || t.data == CUDA_R_16BF) return CUDA_R_32F;
  return t.data;
}

template <class Opaque, class... Arguments>
std::unique_ptr<Opaque, cublasStatus_t (*)(Opaque*)> made(const CublasLt& lt, const char* function,
                                                          cublasStatus_t (*create)(Opaque**, Arguments...),
                                                          cublasStatus_t (*destroy)(Opaque*),
                                                          Arguments... arguments) {
  Opaque* fresh = nullptr;
  check(lt, create(&fresh, arguments...), function);
  return {fresh, destroy};
}

}  // namespace

LtPlan::Layout LtPlan::layout(const CublasLt& lt, const LtKey& key, int64_t rows, int64_t columns,
                              const LtMatrix& matrix) {
  Layout l =
      made(lt, "cublasLtMatrixLayoutCreate", lt.cublasLtMatrixLayoutCreate, lt.cublasLtMatrixLayoutDestroy,
           key.type.data, static_cast<uint64_t>(rows), static_cast<uint64_t>(columns), matrix.ld);
  if (key.count == 1) return l;
  const auto count = static_cast<int32_t>(key.count);
  auto set = [&](cublasLtMatrixLayoutAttribute_t attribute, const auto& value) {
    check(lt, lt.cublasLtMatrixLayoutSetAttribute(l.get(), attribute, &value, sizeof value),
          "cublasLtMatrixLayoutSetAttribute");
  };
  set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, count);
  set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, matrix.step);
  return l;
}

LtPlan::LtPlan(Device& d, const LtKey& key, const CublasLt& lt)
    : lt_(lt),
      handle_(handle_of(d, lt)),
      desc_(made(lt, "cublasLtMatmulDescCreate", lt.cublasLtMatmulDescCreate, lt.cublasLtMatmulDescDestroy,
                 key.type.compute, scale_type(key.type))),
      a_(layout(lt, key, key.transpose_a ? key.k : key.m, key.transpose_a ? key.m : key.k, key.a)),
      b_(layout(lt, key, key.transpose_b ? key.n : key.k, key.transpose_b ? key.k : key.n, key.b)),
      c_(layout(lt, key, key.m, key.n, key.c)),
      d_(layout(lt, key, key.m, key.n, key.d)),
      biased_(key.biased()) {
  describe(key);
  search(d, key);
}

void LtPlan::describe(const LtKey& key) {
  auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
    check(lt_, lt_.cublasLtMatmulDescSetAttribute(desc_.get(), attribute, &value, sizeof value),
          "cublasLtMatmulDescSetAttribute");
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, int32_t{key.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N});
  set(CUBLASLT_MATMUL_DESC_TRANSB, int32_t{key.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N});
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<uint32_t>(key.epilogue));
  if (!biased_) return;
  // The heuristic reads only the alignment of the address.
  set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, key.bias.alignment);
  if (key.count > 1) set(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, key.bias.step);
}

void LtPlan::search(Device& d, const LtKey& key) {
  const auto preference = made(lt_, "cublasLtMatmulPreferenceCreate", lt_.cublasLtMatmulPreferenceCreate,
                               lt_.cublasLtMatmulPreferenceDestroy);
  auto set = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
    check(lt_, lt_.cublasLtMatmulPreferenceSetAttribute(preference.get(), attribute, &value, sizeof value),
          "cublasLtMatmulPreferenceSetAttribute");
  };
  set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<uint64_t>(blas_workspace(d)));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, static_cast<uint32_t>(key.a.alignment));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, static_cast<uint32_t>(key.b.alignment));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, static_cast<uint32_t>(key.c.alignment));
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, static_cast<uint32_t>(key.d.alignment));
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  cublasStatus_t r = lt_.cublasLtMatmulAlgoGetHeuristic(handle_, desc_.get(), a_.get(), b_.get(), c_.get(),
                                                        d_.get(), preference.get(), 1, &best, &found);
  // This status means that it does not support a combination of types, epilogue and strides; older versions
  // use the latter one.
  const bool none = r == CUBLAS_STATUS_NOT_SUPPORTED || r == CUBLAS_STATUS_INVALID_VALUE;
  if (!none) check(lt_, r, "cublasLtMatmulAlgoGetHeuristic");
  works_ = !none && found > 0 && best.state == CUBLAS_STATUS_SUCCESS;
  algorithm_ = best.algo;
  workspace_ = static_cast<int64_t>(best.workspaceSize);
  if (works_) return;
  if (r == CUBLAS_STATUS_SUCCESS) r = found > 0 ? best.state : CUBLAS_STATUS_NOT_SUPPORTED;
  log_line(log_level::info, "cuBLASLt has no algorithm for ", key.m, " x ", key.n, " x ", key.k,
           " with epilogue ", key.epilogue, " (", lt_.cublasLtGetStatusName(r),
           "); cuBLAS and a pass do it instead");
}

void LtPlan::run(Device& d, const LtArguments& x, Stream& s) const {
  const Scratch area(d, s, workspace_);
  const std::lock_guard lock(mutex_);
  auto heard = [&](cublasStatus_t r, const char* function) {
    if (r != CUBLAS_STATUS_SUCCESS) check_blas(d, r, function, s, lt_.cublasLtGetStatusName(r));
  };
  if (biased_) {
    heard(lt_.cublasLtMatmulDescSetAttribute(desc_.get(), CUBLASLT_MATMUL_DESC_BIAS_POINTER, &x.bias,
                                             sizeof x.bias),
          "cublasLtMatmulDescSetAttribute");
  }
  heard(lt_.cublasLtMatmul(handle_, desc_.get(), x.alpha.bytes, x.a, a_.get(), x.b, b_.get(), x.beta.bytes,
                           x.c, c_.get(), x.d, d_.get(), &algorithm_, workspace_ == 0 ? nullptr : area.data(),
                           static_cast<size_t>(workspace_), s.handle),
        "cublasLtMatmul");
}

LtPlans& lt_plans(int32_t device) {
  static auto* mutex = new std::mutex;
  static auto* all = new std::map<int32_t, std::unique_ptr<LtPlans>>;
  const std::lock_guard lock(*mutex);
  std::unique_ptr<LtPlans>& plans = (*all)[device];
  if (plans == nullptr) plans = std::make_unique<LtPlans>(cache_size);
  return *plans;
}

}  // namespace arr::cuda
