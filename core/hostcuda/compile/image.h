// SPDX-License-Identifier: MIT
// One compiled source: its objects, and which holds which kernel.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "hostcuda/compile/build.h"
#include "hostcuda/host_kernels.h"

namespace arr::host_kernels {

struct Image {
  struct KernelEntry {
    std::shared_ptr<Object> object;
    size_t index;
    [[nodiscard]] const arr_host::Entry& entry() const { return object->table().entries[index]; }
  };

  Recipe recipe;
  std::string log;

  std::mutex mutex;  // of what follows
  std::map<std::string, KernelEntry> kernels, wide_kernels;
  std::shared_ptr<Object> first;  // holds the source's variables

  // Objects of one source would each have their own variables: with any, all kernels are in the first.
  [[nodiscard]] bool stateful() const { return !recipe.source.variables.empty(); }
};

// The kernel compiled for grids of more than 2^31 threads along an axis.
Image::KernelEntry wide_kernel(const Kernel& kernel);

}  // namespace arr::host_kernels
