// SPDX-License-Identifier: MIT
// The PTX in a fatbin, as nvcc -fatbin and fatbinary make them.
#pragma once

#include <string>
#include <string_view>

namespace arr::host_kernels {

// The text for the newest architecture, if there are several. `name` is what messages call the image. Throws
// ARR_E_UNSUPPORTED where there is none, ARR_E_UNAVAILABLE where it is compressed by Zstandard and
// libzstd.so.1 is not there, ARR_E_ARGUMENT where the image is damaged.
std::string ptx_of_fatbin(std::string_view image, const std::string& name);

}  // namespace arr::host_kernels
