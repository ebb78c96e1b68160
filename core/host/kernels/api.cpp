// SPDX-License-Identifier: MIT
// The host's tables of raw kernels and of textures.
#include "host/kernels/entries.h"

#include "backend/texture.h"
#include "host/kernels/texture_entries.h"
#include "host/tables.h"

namespace arr::host {

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

const TextureApi texture_api = {
    .texels_create = texels_create,
    .texels_copy = texels_copy,
    .texels_release = texels_release,
    .create = texture_create,
    .release = texture_release,
};

}  // namespace arr::host
