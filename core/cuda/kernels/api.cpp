// SPDX-License-Identifier: MIT
// The CUDA backend's table of this family.
#include "cuda/kernels/entries.h"
#include "cuda/tables.h"

namespace arr::cuda {

const KernelApi kernel_api = {
    .module_create = module_create,
    .module_destroy = module_destroy,
    .module_image = module_image,
    .module_global = module_global,
    .module_kernel = module_kernel,
    .params = kernel_params,
    .attribute = kernel_attribute,
    .set_attribute = kernel_set_attribute,
    .occupancy = kernel_occupancy,
    .block_size = kernel_block_size,
    .launch = kernel_launch,
};

}  // namespace arr::cuda
