// SPDX-License-Identifier: MIT
// The BLAS libraries that a machine may have: function names, sizes of integers and thread settings.
#pragma once

#include <string>

#include "host/libraries/blas.h"

namespace arr::host {

// Paths of libraries, in the order in which they are tried unless ARR_BLAS is set.
inline constexpr const char* blas_paths[] = {"libopenblas.so.0", "libblis.so.4", "libmkl_rt.so.2",
                                             "libflexiblas.so.3", "libblas.so.3"};

// Looks up the functions of an open library, and the names of LAPACK's. Returns the first missing function,
// or an empty text.
std::string read_blas(void* library, Blas* table);

}  // namespace arr::host
