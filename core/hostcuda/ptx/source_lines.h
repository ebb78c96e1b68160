// SPDX-License-Identifier: MIT
// Lines of the program from which a compiler made the PTX, as .loc names them: written as comments into the
// C++, and read there when a message names a line of the PTX.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace arr::host_kernels {

// "/* .loc kernel.cu:5 */ "; "" for a file with another name than one of letters, digits and "_-+.".
std::string source_line_comment(std::string_view file, uint64_t line);

// A message in which each line of the PTX is followed by that of the source, where `translated` has it:
// "in kernel.ptx:17 (kernel.cu:5)".
std::string with_source_lines(std::string message, std::string_view translated);

}  // namespace arr::host_kernels
