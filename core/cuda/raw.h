// SPDX-License-Identifier: MIT
// User-written kernels: the module and kernel entries of the backend.
#pragma once

#include "backend.h"

namespace arr::cuda {

int32_t module_create(int32_t device, const char* source, int64_t length, int32_t noptions,
                      const char* const* options, void** module, std::string* log, BackendError* error);
int32_t module_destroy(int32_t device, void* module, BackendError* error);
int32_t module_kernel(int32_t device, void* module, const char* name, void** kernel, BackendError* error);
int32_t kernel_params(int32_t device, void* kernel, int32_t capacity, int64_t* sizes, int32_t* nparams,
                      BackendError* error);
int32_t kernel_launch(int32_t device, void* kernel, const int64_t grid[3], const int32_t block[3],
                      int64_t shared_bytes, int32_t nargs, void* const* args, void* stream,
                      BackendError* error);

}  // namespace arr::cuda
