// SPDX-License-Identifier: MIT
// Finds the source line of an instruction of an image.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace arr::host_kernels {

// Returns " in line 3", or " in file.h:3" for another file of the user; "" if the line is unknown. `offset`:
// bytes from the image's start in memory to the instruction.
std::string line_text(std::string_view image, uint64_t offset);

}  // namespace arr::host_kernels
