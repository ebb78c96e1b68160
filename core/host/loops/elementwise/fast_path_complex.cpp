// SPDX-License-Identifier: MIT
// Instantiates the fast paths of complex functions. They are not in complex.cpp because that is compiled
// without fused multiply-add; with real and imaginary parts in separate arrays, GCC does not fuse complex
// products.
#define ARR_INSTANTIATE_FAST_PATHS
#include "host/loops/elementwise/ops.h"
