// SPDX-License-Identifier: MIT
// libarr's side of the module libarr_hostcuda.so: opens it at the first raw kernel.
#pragma once

#include <utility>

#include "hostcuda/module.h"

namespace arr::host {

// The module, which the first call opens: the file ARR_HOST_KERNELS_MODULE, else libarr_hostcuda.so beside
// libarr. Throws ARR_E_UNAVAILABLE with one line that says what is missing and how to get it.
const host_kernels::Module& kernel_module();

// nullptr: no raw kernel has opened it yet, or it cannot be opened.
const host_kernels::Module* opened_kernel_module() noexcept;

// Calls a function of the module; its failure is thrown.
template <class Function, class... Args>
void call_kernel_module(Function* function, Args&&... args) {
  BackendError error;
  const int32_t status = function(std::forward<Args>(args)..., &error);
  if (status != ARR_OK) throw Error(status, std::move(error.text));
}

}  // namespace arr::host
