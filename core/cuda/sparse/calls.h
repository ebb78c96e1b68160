// SPDX-License-Identifier: MIT
// Work of the CUDA backend: sparse matrices. A function enqueues in the stream of its call.
#pragma once

namespace arr {

struct SparseProductCall;

namespace cuda {

class Device;
struct Stream;

void sparse_product(Device& d, const SparseProductCall& c, Stream& s);

}  // namespace cuda

}  // namespace arr
