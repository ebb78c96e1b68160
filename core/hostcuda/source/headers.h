// SPDX-License-Identifier: MIT
// The #include directives of a source.
#pragma once

#include <string>
#include <string_view>

#include "base/source_outline.h"

namespace arr::host_kernels {

// x of #include "x" or <x>, also where a macro of the source names it; "" where the compiler is to see to it.
struct Included {
  std::string name;
  bool quotes = false;
};
// `hash`: the token "#" of the directive.
Included included(std::string_view source, const SourceOutline& outline, size_t hash);

// True if CUDA 13, or CuPy, has a header of that name of the kind that the token pass handles. Names of
// folders for their own use, such as cub/detail, are all taken for headers.
bool is_header_of_cuda(std::string_view header);

}  // namespace arr::host_kernels
