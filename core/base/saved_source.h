// SPDX-License-Identifier: MIT
// ARR_SAVE_SOURCE: a folder for the source text that kernel compilers receive, for people to read.
#pragma once

#include <string>
#include <string_view>

namespace arr {

// Writes the text before it is compiled, with the compiler's command as its first line. Returns a line for
// the compiler's log with the file's path or the reason of a failure; "" if ARR_SAVE_SOURCE is unset. Equal
// texts with equal commands share a file.
std::string save_source(std::string_view command, std::string_view source, const char* suffix);

}  // namespace arr
