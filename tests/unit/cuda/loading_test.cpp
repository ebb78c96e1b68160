// SPDX-License-Identifier: MIT
// Opening the libraries: a missing one is named, with the loader's own words.
#include <dlfcn.h>

#include <cstdlib>

#include "cuda/device/libraries.h"
#include "support.h"

namespace arr::cuda_test {
namespace {

std::string hidden;  // the symbol that resolve_without does not find

void* resolve_without(void* library, const char* symbol) {
  return hidden == symbol ? nullptr : dlsym(library, symbol);
}

void* fake() {
  static void* library = dlopen(std::getenv("ARR_CUDA_DRIVER"), RTLD_NOW);
  EXPECT_NE(library, nullptr);
  return library;
}

template <class Table>
void check_missing(const char* symbol, bool required) {
  SCOPED_TRACE(symbol);
  Table table;
  std::string report;
  hidden = symbol;
  EXPECT_EQ(cuda::fill(&table, fake(), resolve_without, &report), !required);
  EXPECT_EQ(report, required ? text("  ", symbol, " is missing in it\n") : "");
}

TEST_F(CudaTest, EachMissingFunctionIsNamed) {
  constexpr bool REQUIRED = true, OPTIONAL = false;
  int count = 0;
#define ARR_CUDA_FN(symbol, need, params) check_missing<cuda::Driver>(#symbol, need), ++count;
#define ARR_NVRTC_FN(symbol, need, result, params) check_missing<cuda::Nvrtc>(#symbol, need), ++count;
#define ARR_NVJITLINK_FN(symbol, need, result, params) check_missing<cuda::NvJitLink>(#symbol, need), ++count;
#define ARR_CUBLAS_FN(symbol, need, result, params) check_missing<cuda::Cublas>(#symbol, need), ++count;
#define ARR_CUBLASLT_FN(symbol, need, result, params) check_missing<cuda::CublasLt>(#symbol, need), ++count;
#define ARR_CUSOLVER_FN(symbol, need, result, params) check_missing<cuda::Cusolver>(#symbol, need), ++count;
#define ARR_CUSPARSE_FN(symbol, need, result, params) check_missing<cuda::Cusparse>(#symbol, need), ++count;
#define ARR_CUDSS_FN(symbol, need, result, params) check_missing<cuda::Cudss>(#symbol, need), ++count;
#define ARR_NCCL_FN(symbol, need, result, params) check_missing<cuda::Nccl>(#symbol, need), ++count;
#define ARR_CUFFT_FN(symbol, need, result, params) check_missing<cuda::Cufft>(#symbol, need), ++count;
#include "cuda/driver/cublas_api.def"
#include "cuda/driver/cublaslt_api.def"
#include "cuda/driver/cudss_api.def"
#include "cuda/driver/cufft_api.def"
#include "cuda/driver/cusolver_api.def"
#include "cuda/driver/cusparse_api.def"
#include "cuda/driver/driver_api.def"
#include "cuda/driver/nccl_api.def"
#include "cuda/driver/nvjitlink_api.def"
#include "cuda/driver/nvrtc_api.def"
#undef ARR_CUDA_FN
#undef ARR_NVRTC_FN
#undef ARR_CUBLAS_FN
#undef ARR_CUBLASLT_FN
#undef ARR_CUSOLVER_FN
#undef ARR_CUSPARSE_FN
#undef ARR_CUDSS_FN
#undef ARR_NCCL_FN
#undef ARR_CUFFT_FN
#undef ARR_NVJITLINK_FN
  EXPECT_GT(count, 50);
}

#ifdef ARR_TOOLKIT_LIBRARIES
// The libraries of the installed toolkit; opening them needs no GPU.
template <class Table>
void check_real(const char* name) {
  SCOPED_TRACE(name);
  const std::string path = text(ARR_TOOLKIT_LIBRARIES, "/", name, ".so");
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) GTEST_SKIP() << dlerror();
  Table table;
  std::string report;
  EXPECT_TRUE(cuda::fill(&table, library, dlsym, &report)) << report;
}
TEST(RealLibraries, Cublas) { check_real<cuda::Cublas>("libcublas"); }
TEST(RealLibraries, CublasLt) { check_real<cuda::CublasLt>("libcublasLt"); }
// The attributes by number and size, without a device.
TEST(RealLibraries, CublasLtTakesDescriptions) {
  const std::string path = text(ARR_TOOLKIT_LIBRARIES, "/libcublasLt.so");
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) GTEST_SKIP() << dlerror();
  cuda::CublasLt lt;
  std::string report;
  ASSERT_TRUE(cuda::fill(&lt, library, dlsym, &report)) << report;
  cuda::cublasLtMatmulDesc_t desc = nullptr;
  ASSERT_EQ(lt.cublasLtMatmulDescCreate(&desc, cuda::CUBLAS_COMPUTE_32F, cuda::CUDA_R_32F), 0);
  cuda::cublasLtMatrixLayout_t layout = nullptr;
  ASSERT_EQ(lt.cublasLtMatrixLayoutCreate(&layout, cuda::CUDA_R_16F, 5, 7, 8), 0);
  cuda::cublasLtMatmulPreference_t preference = nullptr;
  ASSERT_EQ(lt.cublasLtMatmulPreferenceCreate(&preference), 0);
  auto set = [](auto function, auto what, int attribute, auto value) {
    return function(what, attribute, &value, sizeof value);
  };
  for (const int attribute : {cuda::CUBLASLT_MATMUL_DESC_TRANSA, cuda::CUBLASLT_MATMUL_DESC_TRANSB}) {
    EXPECT_EQ(set(lt.cublasLtMatmulDescSetAttribute, desc, attribute, int32_t{cuda::CUBLAS_OP_T}), 0);
  }
  EXPECT_EQ(set(lt.cublasLtMatmulDescSetAttribute, desc, cuda::CUBLASLT_MATMUL_DESC_EPILOGUE,
                uint32_t{cuda::CUBLASLT_EPILOGUE_GELU_BIAS}),
            0);
  for (const int attribute :
       {cuda::CUBLASLT_MATMUL_DESC_BIAS_POINTER, cuda::CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE}) {
    EXPECT_EQ(set(lt.cublasLtMatmulDescSetAttribute, desc, attribute, int64_t{256}), 0);
    EXPECT_NE(set(lt.cublasLtMatmulDescSetAttribute, desc, attribute, int32_t{256}), 0);
  }
  EXPECT_EQ(
      set(lt.cublasLtMatrixLayoutSetAttribute, layout, cuda::CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, int32_t{3}),
      0);
  EXPECT_EQ(set(lt.cublasLtMatrixLayoutSetAttribute, layout,
                cuda::CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, int64_t{64}),
            0);
  EXPECT_EQ(set(lt.cublasLtMatmulPreferenceSetAttribute, preference,
                cuda::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, uint64_t{1 << 25}),
            0);
  for (int attribute = cuda::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES;
       attribute <= cuda::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES; ++attribute) {
    EXPECT_EQ(set(lt.cublasLtMatmulPreferenceSetAttribute, preference, attribute, uint32_t{16}), 0);
  }
  EXPECT_EQ(lt.cublasLtMatmulPreferenceDestroy(preference), 0);
  EXPECT_EQ(lt.cublasLtMatrixLayoutDestroy(layout), 0);
  EXPECT_EQ(lt.cublasLtMatmulDescDestroy(desc), 0);
}
TEST(RealLibraries, Cusolver) { check_real<cuda::Cusolver>("libcusolver"); }
TEST(RealLibraries, Cusparse) { check_real<cuda::Cusparse>("libcusparse"); }
TEST(RealLibraries, Cufft) { check_real<cuda::Cufft>("libcufft"); }
TEST(RealLibraries, Nvrtc) { check_real<cuda::Nvrtc>("libnvrtc"); }
TEST(RealLibraries, NvJitLink) { check_real<cuda::NvJitLink>("libnvJitLink"); }
#endif

TEST_F(CudaTest, EveryPathIsReported) {
  std::string report, opened;
  const std::string paths[] = {"/nowhere/libcuda.so.1", std::getenv("ARR_CUDA_DRIVER")};
  EXPECT_NE(cuda::open_library(paths, &report, &opened), nullptr);
  EXPECT_EQ(opened, paths[1]);
  EXPECT_NE(report.find("/nowhere/libcuda.so.1: cannot open shared object file"), std::string::npos)
      << report;
  EXPECT_NE(report.find(paths[1] + ": opened"), std::string::npos) << report;
}

TEST_F(CudaTest, ProbeTellsWhatWasFound) {
  std::string report;
  ARR_WORKS(cuda().device->probe(&report, &error));
  for (const char* part : {"driver: works", "driver for CUDA 13.0", "devices: 1", "NVRTC: 13."}) {
    EXPECT_NE(report.find(part), std::string::npos) << report;
  }
}

TEST_F(CudaTest, AnotherVersionOfTheSeamIsRefused) {
  std::string reason;
  EXPECT_EQ(arr_backend_open(backend_abi_version + 1, sizeof(Backend), &reason), nullptr);
  EXPECT_NE(reason.find("the module is for backend version"), std::string::npos);
  EXPECT_EQ(arr_backend_open(backend_abi_version, sizeof(Backend) - 8, &reason), nullptr);
}

// Each in a process of its own: a failure to load is remembered.
struct Child {
  const char *variable, *value, *text;
};
void expect_probe(const Child& c) {
  ASSERT_EXIT(
      {
        setenv(c.variable, c.value, 1);
        std::string report;
        BackendError e;
        int32_t status = cuda().device->probe(&report, &e);
        int32_t count = 7;
        int32_t counted = cuda().device->count(&count, &e);
        std::fprintf(stderr, "%s\n%s\n", report.c_str(), e.text.c_str());
        std::exit(status == ARR_E_UNAVAILABLE && counted != ARR_OK && count == 7 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), c.text);
}

TEST(CudaDeathTest, WithoutADriver) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  expect_probe({"ARR_CUDA_DRIVER", "/nowhere/libcuda.so.1", "/nowhere/libcuda.so.1: cannot open"});
}
TEST(CudaDeathTest, WithARelativePath) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  expect_probe({"ARR_CUDA_DRIVER", "libcuda.so.1", "libcuda.so.1 is not an absolute path"});
}
TEST(CudaDeathTest, WithADriverThatDoesNotStart) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  expect_probe({"ARR_FAKE_CUDA_FAIL", "cuInit:1:100", "cuInit: CUDA_ERROR_NO_DEVICE"});
}

}  // namespace
}  // namespace arr::cuda_test
