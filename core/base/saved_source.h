// SPDX-License-Identifier: MIT
// ARR_SAVE_SOURCE: a folder for the text that compilers of kernels are given, for people to read.
#pragma once

#include <string>
#include <string_view>

namespace arr {

// Writes the text, under a first line that is the compiler's command, before it is compiled. Gives a line for
// the compiler's log that says where it lies or why it does not; "" where ARR_SAVE_SOURCE is unset. Equal
// texts with equal commands are one file.
std::string save_source(std::string_view command, std::string_view source, const char* suffix);

}  // namespace arr
