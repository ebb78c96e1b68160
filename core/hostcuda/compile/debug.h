// SPDX-License-Identifier: MIT
// ARR_HOST_DEBUG=1: kernels as gdb and valgrind want them. Their lines are the user's, the text of which lies
// in a file, and so does the image; nothing is optimised, and there are no instructions that valgrind does
// not know.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "hostcuda/compile/process.h"

namespace arr::host_kernels {

bool debugging();

// The folder, with a "/" at its end, of a copy of the source: beside the cache, since images in the cache
// name it. "" if it cannot be written.
std::string keep_source(std::string_view source);

// Keeps a directory until the program ends.
void keep(std::unique_ptr<PrivateDirectory> directory);

}  // namespace arr::host_kernels
