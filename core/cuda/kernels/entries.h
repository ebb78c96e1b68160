// SPDX-License-Identifier: MIT
// User-written kernels: the module and kernel entries of the backend.
#pragma once

#include "backend/kernels.h"

namespace arr::cuda {

int32_t module_create(int32_t device, const ModuleCall* call, void** module, std::string* log,
                      BackendError* error);
int32_t module_destroy(int32_t device, void* module, BackendError* error);
int32_t module_image(int32_t device, const ModuleCall* call, ImageKind kind, std::string* image,
                     std::string* log, BackendError* error);
int32_t module_global(int32_t device, void* module, const char* name, void** address, int64_t* bytes,
                      BackendError* error);
int32_t module_kernel(int32_t device, void* module, const char* name, void** kernel, BackendError* error);
int32_t kernel_params(int32_t device, void* kernel, std::vector<KernelParam>* params, int32_t* known,
                      BackendError* error);
int32_t kernel_attribute(int32_t device, void* kernel, int32_t attribute, int64_t* value,
                         BackendError* error);
int32_t kernel_set_attribute(int32_t device, void* kernel, int32_t attribute, int64_t value,
                             BackendError* error);
int32_t kernel_occupancy(int32_t device, void* kernel, int32_t threads, int64_t shared_bytes, int32_t* blocks,
                         BackendError* error);
int32_t kernel_block_size(int32_t device, void* kernel, int64_t shared_bytes, int32_t max_threads,
                          int32_t* threads, int32_t* blocks, BackendError* error);
int32_t kernel_launch(int32_t device, void* kernel, const LaunchConfig* config, int32_t nargs,
                      void* const* args, void* stream, BackendError* error);

}  // namespace arr::cuda
