// SPDX-License-Identifier: MIT
// The BLAS libraries that a machine may have: their names of functions, sizes of integers and settings of
// threads.
#pragma once

#include <string>

#include "host/libraries/blas.h"

namespace arr::host {

// Paths of libraries, in the order in which they are tried where ARR_BLAS names none.
inline constexpr const char* blas_paths[] = {"libopenblas.so.0", "libblis.so.4", "libmkl_rt.so.2",
                                             "libflexiblas.so.3", "libblas.so.3"};

// Fills the functions of an open library in, and the names of those of LAPACK. Returns the first function
// that is missing, or an empty text.
std::string read_blas(void* library, Blas* table);

}  // namespace arr::host
