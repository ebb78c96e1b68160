// SPDX-License-Identifier: MIT
// The libraries that the module opens at run time, each on first use: driver, NVRTC, nvJitLink, cuBLAS,
// cuBLASLt, cuSOLVER, cuFFT, cuSPARSE, cuDSS, NCCL; cuRAND for programs that ask for its functions. A table
// of function pointers per library follows from its .def file.
#pragma once

#include <span>
#include <string>

#include "base/error.h"
#include "cuda/driver/api_types.h"

namespace arr::cuda {

struct Driver {
#define ARR_CUDA_FN(symbol, need, params) CUresult(*symbol) params = nullptr;
#include "cuda/driver/driver_api.def"
#undef ARR_CUDA_FN
};

struct Nvrtc {
#define ARR_NVRTC_FN(symbol, need, result, params) result(*symbol) params = nullptr;
#include "cuda/driver/nvrtc_api.def"
#undef ARR_NVRTC_FN
  int major = 0, minor = 0;
  std::string path;  // path of the library that was opened
};

struct NvJitLink {
#define ARR_NVJITLINK_FN(symbol, need, result, params) result(*symbol) params = nullptr;
#include "cuda/driver/nvjitlink_api.def"
#undef ARR_NVJITLINK_FN
  unsigned major = 0, minor = 0;
};

struct Cublas {
#define ARR_CUBLAS_FN(symbol, need, result, params) result(*symbol) params = nullptr;
#include "cuda/driver/cublas_api.def"
#undef ARR_CUBLAS_FN
};

struct CublasLt {
#define ARR_CUBLASLT_FN(symbol, need, result, params) result(*symbol) params = nullptr;
#include "cuda/driver/cublaslt_api.def"
#undef ARR_CUBLASLT_FN
};

struct Cusolver {
#define ARR_CUSOLVER_FN(symbol, need, result, params) result(*symbol) params = nullptr;
#include "cuda/driver/cusolver_api.def"
#undef ARR_CUSOLVER_FN
};

struct Cufft {
#define ARR_CUFFT_FN(symbol, need, result, params) result(*symbol) params = nullptr;
#include "cuda/driver/cufft_api.def"
#undef ARR_CUFFT_FN
  int version = 0;  // 12003: 12.0.3
};

struct Cusparse {
#define ARR_CUSPARSE_FN(symbol, need, result, params) result(*symbol) params = nullptr;
#include "cuda/driver/cusparse_api.def"
#undef ARR_CUSPARSE_FN
};

struct Cudss {
#define ARR_CUDSS_FN(symbol, need, result, params) result(*symbol) params = nullptr;
#include "cuda/driver/cudss_api.def"
#undef ARR_CUDSS_FN
};

struct Nccl {
#define ARR_NCCL_FN(symbol, need, result, params) result(*symbol) params = nullptr;
#include "cuda/driver/nccl_api.def"
#undef ARR_NCCL_FN
};

// A library whose functions programs ask for (arr_library_function), and the module does not call.
struct Lent {
  const char* symbol = nullptr;  // name of the function `property`, in the library
  int (*property)(libraryPropertyType property, int* value) = nullptr;
};

// Finds a symbol of an opened library: dlsym, or a test's replacement.
using Resolve = void* (*)(void* library, const char* symbol);

// Opens the first of `paths` that the loader accepts, and appends a line with the loader's message per path
// to *report. Returns nullptr if none opens.
void* open_library(std::span<const std::string> paths, std::string* report, std::string* opened);

// Fills a table. Returns false, with the function's name in *report, if a REQUIRED one is missing.
bool fill(Driver* table, void* library, Resolve resolve, std::string* report);
bool fill(Nvrtc* table, void* library, Resolve resolve, std::string* report);
bool fill(NvJitLink* table, void* library, Resolve resolve, std::string* report);
bool fill(Cublas* table, void* library, Resolve resolve, std::string* report);
bool fill(CublasLt* table, void* library, Resolve resolve, std::string* report);
bool fill(Cusolver* table, void* library, Resolve resolve, std::string* report);
bool fill(Cufft* table, void* library, Resolve resolve, std::string* report);
bool fill(Cusparse* table, void* library, Resolve resolve, std::string* report);
bool fill(Cudss* table, void* library, Resolve resolve, std::string* report);
bool fill(Nccl* table, void* library, Resolve resolve, std::string* report);
bool fill(Lent* table, void* library, Resolve resolve, std::string* report);

// The opened libraries; throw ARR_E_UNAVAILABLE with the report if one cannot be opened. A failure is
// remembered: a library that is missing at first use stays missing for this process.
const Driver& driver();
// True if the parent process initialized the driver before the fork() that created this process. The driver
// does not work here then, and no call may reach it.
bool driver_initialized_before_fork() noexcept;
void refuse_in_child();  // throws ARR_E_LOST then
const Nvrtc& nvrtc();
const NvJitLink& nvjitlink();
const Cublas& cublas();
const CublasLt* cublaslt();  // nullptr if it is missing: products work without it
const Cusolver& cusolver();
const Cufft& cufft();
const Cusparse& cusparse();
const Cusparse* cusparse_if_there();  // nullptr if it is missing: most work goes without it
const Cudss& cudss();                 // its error says what to install: a toolkit does not have it
const Nccl& nccl();                   // also says what to install
const Lent& curand();

// The loader's handle of one of library:: (backend/low.h), which is opened if needed.
void* opened(int32_t library);
const char* name_of(int32_t library);

// Opens and initialises the driver, and appends a line per step to *report. Returns whether it works.
bool probe_driver(std::string* report);
// Reports on a library, which may be missing: "NVRTC 13.0: /usr/.../libnvrtc.so.13".
void probe_nvrtc(std::string* report);
void probe_nvjitlink(std::string* report);
void probe_cublas(std::string* report);
void probe_cusolver(std::string* report);

}  // namespace arr::cuda
