// SPDX-License-Identifier: MIT
// The fake cuBLAS: products by OpenBLAS, in the order of the handle's stream.
#include <dlfcn.h>

#include "cublas.h"
#include "math/scalar.h"

namespace arr::fake {

void* openblas(const char* symbol) {
  static void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : dlsym(library, symbol);
}

namespace {

// OpenBLAS's C interface: column-major 102, as it is 111, transposed 112.
template <class T>
using Real = void (*)(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int);
using Complex = void (*)(int, int, int, int, int, int, const void*, const void*, int, const void*, int,
                         const void*, void*, int);
constexpr int column_major = 102;
int trans(cublasOperation_t op) { return op == CUBLAS_OP_N ? 111 : 112; }

template <class T>
CUresult real(const Gemm& g, const char* symbol) {
  auto gemm = reinterpret_cast<Real<T>>(openblas(symbol));
  if (gemm == nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  for (int i = 0; i < g.count; ++i) {
    gemm(column_major, trans(g.transa), trans(g.transb), g.m, g.n, g.k, static_cast<T>(g.alpha.real()),
         reinterpret_cast<const T*>(g.a) + i * g.stridea, g.lda,
         reinterpret_cast<const T*>(g.b) + i * g.strideb, g.ldb, static_cast<T>(g.beta.real()),
         reinterpret_cast<T*>(g.c) + i * g.stridec, g.ldc);
  }
  return CUDA_SUCCESS;
}

template <class F>
CUresult complex(const Gemm& g, const char* symbol) {
  auto gemm = reinterpret_cast<Complex>(openblas(symbol));
  if (gemm == nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  const std::complex<F> alpha(g.alpha), beta(g.beta);
  constexpr auto item = static_cast<long long>(2 * sizeof(F));
  for (int i = 0; i < g.count; ++i) {
    gemm(column_major, trans(g.transa), trans(g.transb), g.m, g.n, g.k, &alpha, g.a + i * g.stridea * item,
         g.lda, g.b + i * g.strideb * item, g.ldb, &beta, g.c + i * g.stridec * item, g.ldc);
  }
  return CUDA_SUCCESS;
}

// 16-bit floats: widened, multiplied, rounded once.
template <class H>
CUresult half(const Gemm& g) {
  for (int i = 0; i < g.count; ++i) {
    auto a = reinterpret_cast<const H*>(g.a) + i * g.stridea,
         b = reinterpret_cast<const H*>(g.b) + i * g.strideb;
    auto c = reinterpret_cast<H*>(g.c) + i * g.stridec;
    for (int col = 0; col < g.n; ++col) {
      for (int row = 0; row < g.m; ++row) {
        float sum = 0;
        for (int e = 0; e < g.k; ++e) {
          auto x = g.transa == CUBLAS_OP_N ? a[row + int64_t{e} * g.lda] : a[e + int64_t{row} * g.lda];
          auto y = g.transb == CUBLAS_OP_N ? b[e + int64_t{col} * g.ldb] : b[col + int64_t{e} * g.ldb];
          sum += arr_cast<float>(x) * arr_cast<float>(y);
        }
        H& to = c[row + int64_t{col} * g.ldc];
        sum *= static_cast<float>(g.alpha.real());
        if (g.beta != 0.0) sum += static_cast<float>(g.beta.real()) * arr_cast<float>(to);
        to = arr_cast<H>(sum);
      }
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace

CUresult run_gemm(const Gemm& g, cudaDataType type) {
  switch (type) {
    case CUDA_R_32F:
      return real<float>(g, "cblas_sgemm");
    case CUDA_R_64F:
      return real<double>(g, "cblas_dgemm");
    case CUDA_C_32F:
      return complex<float>(g, "cblas_cgemm");
    case CUDA_C_64F:
      return complex<double>(g, "cblas_zgemm");
    case CUDA_R_16F:
      return half<arr_half>(g);
    case CUDA_R_16BF:
      return half<arr_bfloat>(g);
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

bool valid(const Gemm& g) {
  return g.m >= 0 && g.n >= 0 && g.k >= 0 && g.count >= 0 &&
         g.lda >= std::max(1, g.transa == CUBLAS_OP_N ? g.m : g.k) &&
         g.ldb >= std::max(1, g.transb == CUBLAS_OP_N ? g.k : g.n) && g.ldc >= std::max(1, g.m);
}

// The compute types that cuBLAS's table has for matrices of a type; where the setting "compute" is not 0,
// that one alone.
bool goes_with(cublasComputeType_t compute, cudaDataType type) {
  if (const int64_t only = setting("compute"); only != 0 && compute != only) return false;
  if (type == CUDA_R_64F || type == CUDA_C_64F) {
    return compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  }
  if (compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC) return true;
  if (type == CUDA_R_16F) return compute == CUBLAS_COMPUTE_16F;
  return type != CUDA_R_16BF &&
         (compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
          compute == CUBLAS_COMPUTE_32F_FAST_TF32);
}

// alpha and beta have the type that the compute type wants.
std::complex<double> scale(const void* p, cublasComputeType_t compute, cudaDataType type) {
  const bool complex = type == CUDA_C_32F || type == CUDA_C_64F;
  if (compute == CUBLAS_COMPUTE_16F) return arr_cast<float>(*static_cast<const arr_half*>(p));
  if (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC) {
    auto x = static_cast<const double*>(p);
    return {x[0], complex ? x[1] : 0};
  }
  auto x = static_cast<const float*>(p);
  return {x[0], complex ? x[1] : 0};
}

}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  ARR_FAKE_ENTER(cublasCreate_v2);
  if (current() == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = reinterpret_cast<cublasHandle_t>(new BlasHandle);
  ++live().handles;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  ARR_FAKE_ENTER(cublasDestroy_v2);
  delete reinterpret_cast<BlasHandle*>(handle);
  --live().handles;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  ARR_FAKE_ENTER(cublasSetStream_v2);
  *reinterpret_cast<BlasHandle*>(handle) = {stream};  // which resets the workspace
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes) {
  ARR_FAKE_ENTER(cublasSetWorkspace_v2);
  const auto at = reinterpret_cast<uintptr_t>(workspace);
  // As documented: 256 bytes of alignment; and what is recommended for the devices that the fake may be.
  const int64_t arch = setting("arch");
  const size_t wanted = size_t{arch >= 120 ? 12U : arch >= 90 ? 32U : 4U} << 20;
  if (at % 256 != 0 || bytes != wanted || !on_device(at, bytes)) return CUBLAS_STATUS_INVALID_VALUE;
  auto& h = *reinterpret_cast<BlasHandle*>(handle);
  h.workspace = workspace;
  h.bytes = bytes;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType property, int* value) {
  ARR_FAKE_ENTER(cublasGetProperty);
  *value = property == 0 ? 13 : property == 1 ? 1 : 2;
  return CUBLAS_STATUS_SUCCESS;
}
const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    default:
      return "CUBLAS_STATUS of another kind";
  }
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType atype, int lda, long long int stridea,
                                          const void* b, cudaDataType btype, int ldb, long long int strideb,
                                          const void* beta, void* c, cudaDataType ctype, int ldc,
                                          long long int stridec, int nbatch, cublasComputeType_t compute,
                                          cublasGemmAlgo_t) {
  ARR_FAKE_ENTER(cublasGemmStridedBatchedEx);
  Gemm g{transa,
         transb,
         m,
         n,
         k,
         static_cast<const char*>(a),
         lda,
         stridea,
         static_cast<const char*>(b),
         ldb,
         strideb,
         static_cast<char*>(c),
         ldc,
         stridec,
         nbatch,
         scale(alpha, compute, atype),
         scale(beta, compute, atype)};
  const bool good = atype == btype && atype == ctype && goes_with(compute, atype) && valid(g);
  return submit(handle, good, [g, atype] { return run_gemm(g, atype); });
}

#pragma GCC visibility pop
}
