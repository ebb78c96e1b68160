// SPDX-License-Identifier: MIT
// The fake cuBLASLt: products by OpenBLAS in float32 or float64, rounded once behind the epilogue, in the
// order of the stream. It takes what NVIDIA's tables have, holds its callers to what they said of alignments,
// and spoils its workspace. RELU of nan is 0, which NVIDIA leaves open.
#include <bit>
#include <cmath>
#include <cstring>

#include "cublas.h"
#include "math/scalar.h"

namespace arr::fake {
namespace {

struct Description {
  cublasComputeType_t compute = 0;
  cudaDataType scale = 0;
  int32_t transa = CUBLAS_OP_N, transb = CUBLAS_OP_N;
  uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const char* bias = nullptr;
  int64_t bias_stride = 0;
};
struct Matrix {
  cudaDataType type = 0;
  uint64_t rows = 0, columns = 0;
  int64_t ld = 0;
  int32_t count = 1;
  int64_t stride = 0;
};
struct Preference {
  uint64_t workspace = 0;
  uint32_t alignment[4] = {256, 256, 256, 256};  // of a, b, c, d
};
// Contents of an algorithm's bytes.
constexpr uint64_t mark = 0x41726c74;
struct Algorithm {
  uint64_t magic, workspace, alignment[5], problem;
};
static_assert(sizeof(Algorithm) == sizeof(cublasLtMatmulAlgo_t));

template <class T, class Handle>
T& as(Handle h) {
  return *reinterpret_cast<T*>(h);
}
template <class T, class Handle>
cublasStatus_t create(Handle* h, const T& value) {
  *h = reinterpret_cast<Handle>(new T(value));
  ++live().descriptions;
  return CUBLAS_STATUS_SUCCESS;
}
template <class T, class Handle>
cublasStatus_t destroy(Handle h) {
  delete reinterpret_cast<T*>(h);
  --live().descriptions;
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t set(T* to, const void* value, size_t bytes) {
  if (bytes != sizeof(T)) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(to, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

int64_t item(cudaDataType t) {
  switch (t) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
      return 4;
    case CUDA_C_64F:
      return 16;
    default:
      return 8;
  }
}
bool is_complex(cudaDataType t) { return t == CUDA_C_32F || t == CUDA_C_64F; }

// All that one call is of.
struct Problem {
  Description what;
  Matrix a, b, c, d;
  [[nodiscard]] bool biased() const { return (what.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0; }
  [[nodiscard]] int k() const { return static_cast<int>(what.transa == CUBLAS_OP_N ? a.columns : a.rows); }
  // But for addresses.
  [[nodiscard]] uint64_t number() const {
    uint64_t h = 0;
    auto add = [&h](auto x) { h = (h ^ static_cast<uint64_t>(x)) * 0x100000001b3U + 7; };
    for (const Matrix* m : {&a, &b, &c, &d}) {
      add(m->type), add(m->rows), add(m->columns), add(m->ld), add(m->count), add(m->stride);
    }
    add(what.compute), add(what.scale), add(what.transa), add(what.transb), add(what.epilogue);
    add(what.bias_stride);
    return h;
  }
};
Problem problem_of(cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                   cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d) {
  return {as<Description>(desc), as<Matrix>(a), as<Matrix>(b), as<Matrix>(c), as<Matrix>(d)};
}

bool known(uint32_t epilogue) {
  for (const cublasLtEpilogue_t e :
       {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_BIAS,
        CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS}) {
    if (epilogue == static_cast<uint32_t>(e)) return true;
  }
  return false;
}

cublasStatus_t examine(const Problem& p) {
  const Description& w = p.what;
  const cudaDataType t = p.d.type;
  const bool ta = w.transa != CUBLAS_OP_N, tb = w.transb != CUBLAS_OP_N;
  const uint64_t m = ta ? p.a.columns : p.a.rows, k = ta ? p.a.rows : p.a.columns;
  const bool shapes = m == p.d.rows && (tb ? p.b.columns : p.b.rows) == k &&
                      (tb ? p.b.rows : p.b.columns) == p.d.columns && p.c.rows == p.d.rows &&
                      p.c.columns == p.d.columns && m > 0 && k > 0 && p.d.columns > 0;
  bool good = shapes && known(w.epilogue) && (!p.biased() || w.bias != nullptr);
  for (const Matrix* x : {&p.a, &p.b, &p.c, &p.d}) {
    good = good && x->ld >= static_cast<int64_t>(x->rows) && x->count == p.d.count && x->count >= 1 &&
           x->stride >= 0;
  }
  if (!good) return CUBLAS_STATUS_INVALID_VALUE;
  const cudaDataType scale = w.compute == CUBLAS_COMPUTE_16F       ? CUDA_R_16F
                             : t == CUDA_R_16F || t == CUDA_R_16BF ? CUDA_R_32F
                                                                   : t;
  const bool one_type = p.a.type == t && p.b.type == t && p.c.type == t && w.scale == scale;
  const bool plain = w.epilogue == CUBLASLT_EPILOGUE_DEFAULT || !is_complex(t);
  return one_type && plain && goes_with(w.compute, t) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

size_t reach(const Matrix& m) {
  const auto last = static_cast<int64_t>(m.rows) - 1 + (static_cast<int64_t>(m.columns) - 1) * m.ld +
                    (m.count - 1) * m.stride;
  return static_cast<size_t>((last + 1) * item(m.type));
}
bool lies(const void* p, size_t bytes) { return on_device(reinterpret_cast<uintptr_t>(p), bytes); }

struct Addresses {
  const char *a, *b, *c, *bias;
  char* d;
};
// Returns whether the caller keeps to the limits of the algorithm that it took.
bool keeps_word(const Problem& p, const Addresses& x, const Algorithm& g, const void* workspace,
                size_t bytes) {
  if (g.magic != mark || g.problem != p.number() || bytes < g.workspace) return false;
  if (reinterpret_cast<uintptr_t>(workspace) % 256 != 0 || !lies(workspace, bytes)) return false;
  const void* all[] = {x.a, x.b, x.c, x.d, x.bias};
  for (size_t i = 0; i < 5; ++i) {
    if (i < 4 || p.biased()) {
      if (reinterpret_cast<uintptr_t>(all[i]) % g.alignment[i] != 0) return false;
    }
  }
  const auto bias = static_cast<size_t>(
      (static_cast<int64_t>(p.d.rows) + (p.d.count - 1) * p.what.bias_stride) * item(p.d.type));
  if (!lies(x.a, reach(p.a)) || !lies(x.b, reach(p.b)) || !lies(x.d, reach(p.d))) return false;
  if (!lies(x.c, reach(p.c)) || (p.biased() && !lies(x.bias, bias))) return false;
  // In place or apart.
  if (x.c == x.d) return p.c.ld == p.d.ld && p.c.stride == p.d.stride;
  return x.c + reach(p.c) <= x.d || x.d + reach(p.d) <= x.c;
}

template <class W>
W activated(W x, uint32_t epilogue) {
  if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0) return x > 0 ? x : W{0};
  if ((epilogue & CUBLASLT_EPILOGUE_GELU) == 0) return x;
  const W inner = static_cast<W>(0.7978845608028654) * (x + static_cast<W>(0.044715) * x * x * x);
  return x * (1 + std::tanh(inner)) / 2;
}

// Elements of T, computed in W.
template <class T, class W>
CUresult fused(const Problem& p, const Addresses& x, std::complex<double> alpha, std::complex<double> beta,
               cudaDataType wide) {
  auto widened = [](const char* from, const Matrix& m, int64_t batch) {
    std::vector<W> all(m.rows * m.columns);
    auto elements = reinterpret_cast<const T*>(from) + batch * m.stride;
    for (uint64_t j = 0; j < m.columns; ++j) {
      for (uint64_t i = 0; i < m.rows; ++i) {
        all[j * m.rows + i] = arr_cast<W>(elements[static_cast<int64_t>(j) * m.ld + static_cast<int64_t>(i)]);
      }
    }
    return all;
  };
  for (int64_t batch = 0; batch < p.d.count; ++batch) {
    const std::vector<W> a = widened(x.a, p.a, batch), b = widened(x.b, p.b, batch);
    std::vector<W> d = beta == 0.0 ? std::vector<W>(p.d.rows * p.d.columns) : widened(x.c, p.c, batch);
    const auto rows = static_cast<int>(p.d.rows);
    const Gemm g{p.what.transa,
                 p.what.transb,
                 rows,
                 static_cast<int>(p.d.columns),
                 p.k(),
                 reinterpret_cast<const char*>(a.data()),
                 static_cast<int>(p.a.rows),
                 0,
                 reinterpret_cast<const char*>(b.data()),
                 static_cast<int>(p.b.rows),
                 0,
                 reinterpret_cast<char*>(d.data()),
                 rows,
                 0,
                 1,
                 alpha,
                 beta};
    if (const CUresult r = run_gemm(g, wide); r != CUDA_SUCCESS) return r;
    auto bias = reinterpret_cast<const T*>(x.bias) + batch * p.what.bias_stride;
    auto out = reinterpret_cast<T*>(x.d) + batch * p.d.stride;
    for (size_t e = 0; e < d.size(); ++e) {
      const auto i = static_cast<int64_t>(e % p.d.rows), j = static_cast<int64_t>(e / p.d.rows);
      W value = d[e];
      if (p.biased()) value += arr_cast<W>(bias[i]);
      out[j * p.d.ld + i] = arr_cast<T>(activated(value, p.what.epilogue));
    }
  }
  return CUDA_SUCCESS;
}

// Complex numbers: c goes to d, to which the product is added.
CUresult whole(const Problem& p, const Addresses& x, std::complex<double> alpha, std::complex<double> beta) {
  const auto bytes = item(p.d.type), column = static_cast<int64_t>(p.d.rows) * bytes;
  for (int64_t batch = 0; x.c != x.d && beta != 0.0 && batch < p.d.count; ++batch) {
    for (int64_t j = 0; j < static_cast<int64_t>(p.d.columns); ++j) {
      std::memcpy(x.d + (batch * p.d.stride + j * p.d.ld) * bytes,
                  x.c + (batch * p.c.stride + j * p.c.ld) * bytes, static_cast<size_t>(column));
    }
  }
  const Gemm g{p.what.transa,
               p.what.transb,
               static_cast<int>(p.d.rows),
               static_cast<int>(p.d.columns),
               p.k(),
               x.a,
               static_cast<int>(p.a.ld),
               p.a.stride,
               x.b,
               static_cast<int>(p.b.ld),
               p.b.stride,
               x.d,
               static_cast<int>(p.d.ld),
               p.d.stride,
               p.d.count,
               alpha,
               beta};
  return run_gemm(g, p.d.type);
}

CUresult run(const Problem& p, const Addresses& x, std::complex<double> alpha, std::complex<double> beta) {
  switch (p.d.type) {
    case CUDA_R_16F:
      return fused<arr_half, float>(p, x, alpha, beta, CUDA_R_32F);
    case CUDA_R_16BF:
      return fused<arr_bfloat, float>(p, x, alpha, beta, CUDA_R_32F);
    case CUDA_R_32F:
      return fused<float, float>(p, x, alpha, beta, CUDA_R_32F);
    case CUDA_R_64F:
      return fused<double, double>(p, x, alpha, beta, CUDA_R_64F);
    default:
      return whole(p, x, alpha, beta);
  }
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  ARR_FAKE_ENTER(cublasLtCreate);
  if (current() == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = reinterpret_cast<cublasLtHandle_t>(current());
  return CUBLAS_STATUS_SUCCESS;
}
const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute,
                                        cudaDataType scale) {
  ARR_FAKE_ENTER(cublasLtMatmulDescCreate);
  return create(desc, Description{.compute = compute, .scale = scale});
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  ARR_FAKE_ENTER(cublasLtMatmulDescDestroy);
  return destroy<Description>(desc);
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              size_t bytes) {
  ARR_FAKE_ENTER(cublasLtMatmulDescSetAttribute);
  auto& d = as<Description>(desc);
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return set(&d.transa, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return set(&d.transb, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return set(&d.epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return set(&d.bias, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
      return set(&d.bias_stride, value, bytes);
    default:
      return CUBLAS_STATUS_INVALID_VALUE;
  }
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t ld) {
  ARR_FAKE_ENTER(cublasLtMatrixLayoutCreate);
  return create(layout, Matrix{.type = type, .rows = rows, .columns = columns, .ld = ld});
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  ARR_FAKE_ENTER(cublasLtMatrixLayoutDestroy);
  return destroy<Matrix>(layout);
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                size_t bytes) {
  ARR_FAKE_ENTER(cublasLtMatrixLayoutSetAttribute);
  auto& m = as<Matrix>(layout);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) return set(&m.count, value, bytes);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET) return set(&m.stride, value, bytes);
  return CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  ARR_FAKE_ENTER(cublasLtMatmulPreferenceCreate);
  return create(preference, Preference{});
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  ARR_FAKE_ENTER(cublasLtMatmulPreferenceDestroy);
  return destroy<Preference>(preference);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, size_t bytes) {
  ARR_FAKE_ENTER(cublasLtMatmulPreferenceSetAttribute);
  auto& p = as<Preference>(preference);
  if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) return set(&p.workspace, value, bytes);
  const int which = attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES;
  if (which < 0 || which > 3) return CUBLAS_STATUS_INVALID_VALUE;
  return set(&p.alignment[which], value, bytes);
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t* results, int* found) {
  ARR_FAKE_ENTER(cublasLtMatmulAlgoGetHeuristic);
  const Problem p = problem_of(desc, a, b, c, d);
  const auto& prefers = as<Preference>(preference);
  *found = 0;
  if (reinterpret_cast<Context*>(handle) != current() || wanted < 1) return CUBLAS_STATUS_INVALID_VALUE;
  if (const cublasStatus_t r = examine(p); r != CUBLAS_STATUS_SUCCESS) return r;
  if (setting("lt") == 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  Algorithm best{mark, std::min<uint64_t>(prefers.workspace, 1U << 20), {}, p.number()};
  for (size_t i = 0; i < 4; ++i) {
    best.alignment[i] = prefers.alignment[i];
    // No power of two, or less than an element.
    if (!std::has_single_bit(best.alignment[i]) ||
        best.alignment[i] < static_cast<uint64_t>(std::min<int64_t>(item(p.d.type), 8))) {
      return CUBLAS_STATUS_NOT_SUPPORTED;
    }
  }
  const auto bias = reinterpret_cast<uintptr_t>(p.what.bias);
  best.alignment[4] = uint64_t{1} << std::countr_zero(bias | 256U);
  results[0] = {std::bit_cast<cublasLtMatmulAlgo_t>(best), best.workspace, CUBLAS_STATUS_SUCCESS, 1, {}};
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t alayout, const void* b,
                              cublasLtMatrixLayout_t blayout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t clayout, void* d, cublasLtMatrixLayout_t dlayout,
                              const cublasLtMatmulAlgo_t* algorithm, void* workspace, size_t bytes,
                              cudaStream_t stream) {
  ARR_FAKE_ENTER(cublasLtMatmul);
  const Problem p = problem_of(desc, alayout, blayout, clayout, dlayout);
  const Addresses x{static_cast<const char*>(a), static_cast<const char*>(b), static_cast<const char*>(c),
                    p.what.bias, static_cast<char*>(d)};
  const auto g = std::bit_cast<Algorithm>(*algorithm);
  if (reinterpret_cast<Context*>(handle) != current() || examine(p) != CUBLAS_STATUS_SUCCESS ||
      !keeps_word(p, x, g, workspace, bytes)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  Stream* s = stream_of(stream);
  if (s == nullptr) return CUBLAS_STATUS_EXECUTION_FAILED;
  const std::complex<double> times = scale(alpha, p.what.compute, p.d.type),
                             plus = scale(beta, p.what.compute, p.d.type);
  enqueue(*s, [p, x, times, plus, workspace, bytes] {
    std::memset(workspace, 0x5a, bytes);
    return run(p, x, times, plus);
  });
  return CUBLAS_STATUS_SUCCESS;
}

#pragma GCC visibility pop
}
