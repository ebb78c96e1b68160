// SPDX-License-Identifier: MIT
// Work of the CUDA backend: element-wise runs. A function enqueues in the stream of its call.
#pragma once

#include <string>

namespace arr {

struct ElementwiseCall;

namespace cuda {

class Device;
struct Stream;

void elementwise(Device& d, const ElementwiseCall& c, Stream& s);

// The kernel that elementwise() would launch, without the functions that all kernels share.
std::string elementwise_text(const ElementwiseCall& c);

}  // namespace cuda

}  // namespace arr
