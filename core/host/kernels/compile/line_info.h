// SPDX-License-Identifier: MIT
// Which line of the source an instruction of an image belongs to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace arr::host_kernels {

// " in line 3", or " in file.h:3" for a line of another file of the user's; "" where it cannot be told.
// `offset`: of the instruction, from the image's first byte in memory.
std::string line_text(std::string_view image, uint64_t offset);

}  // namespace arr::host_kernels
