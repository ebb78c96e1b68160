// SPDX-License-Identifier: MIT
// The libraries that the module opens at run time, each on first use: driver, NVRTC, nvJitLink, cuBLAS,
// cuBLASLt, cuSOLVER, cuFFT. A table of function pointers per library follows from its .def file.
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
  std::string path;  // of the library that was opened
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

// How a symbol of an opened library is found: dlsym, or what a test puts in its place.
using Resolve = void* (*)(void* library, const char* symbol);

// Opens the first of `paths` that the loader takes; a line per path tried goes to *report, with the
// loader's own message. nullptr where none opens.
void* open_library(std::span<const std::string> paths, std::string* report, std::string* opened);

// Fills a table. False, with the missing function's name in *report, where a REQUIRED one is not there.
bool fill(Driver* table, void* library, Resolve resolve, std::string* report);
bool fill(Nvrtc* table, void* library, Resolve resolve, std::string* report);
bool fill(NvJitLink* table, void* library, Resolve resolve, std::string* report);
bool fill(Cublas* table, void* library, Resolve resolve, std::string* report);
bool fill(CublasLt* table, void* library, Resolve resolve, std::string* report);
bool fill(Cusolver* table, void* library, Resolve resolve, std::string* report);
bool fill(Cufft* table, void* library, Resolve resolve, std::string* report);

// The opened libraries; ARR_E_UNAVAILABLE with the report where one cannot be opened. A failure is
// remembered: what is missing when first needed stays missing for this process.
const Driver& driver();
// Whether fork() has made this process after its parent had started the driver, which no call may reach then.
bool driver_is_the_parents() noexcept;
void refuse_in_child();  // ARR_E_LOST there
const Nvrtc& nvrtc();
const NvJitLink& nvjitlink();
const Cublas& cublas();
const CublasLt* cublaslt();  // nullptr where it is not there: products do without
const Cusolver& cusolver();
const Cufft& cufft();

// The loader's handle of one of library:: (backend/low.h), opened as above.
void* opened(int32_t library);
const char* name_of(int32_t library);

// Opens the driver and initialises it; a line per step goes to *report. False where it does not work.
bool probe_driver(std::string* report);
// Reports on a library without the need for it: "NVRTC 13.0: /usr/.../libnvrtc.so.13".
void probe_nvrtc(std::string* report);
void probe_nvjitlink(std::string* report);
void probe_cublas(std::string* report);
void probe_cusolver(std::string* report);

}  // namespace arr::cuda
