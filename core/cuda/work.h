// SPDX-License-Identifier: MIT
// The work entries of the backend: each enqueues on the call's stream.
#pragma once

#include "backend.h"
#include "cuda/device.h"

namespace arr::cuda {

void elementwise(Device& d, const ElementwiseCall& c, Stream& s);
void reduce(Device& d, const ReduceCall& c, Stream& s);
void matmul(Device& d, const MatmulCall& c, Stream& s);

// The kernel that elementwise() would launch, without the functions that all kernels share.
std::string elementwise_text(const ElementwiseCall& c);

// Bytes that operand strides reach from the first element, as an upper bound of any offset.
int64_t reach(int32_t ndim, const int64_t* shape, const int64_t* strides);
inline constexpr int64_t int32_most = 0x7fffffff;

}  // namespace arr::cuda
