// SPDX-License-Identifier: MIT
// Work of the CUDA backend: sorts. A function enqueues in the stream of its call.
#pragma once

namespace arr {

struct SortCall;

namespace cuda {

class Device;
struct Stream;

void sort(Device& d, const SortCall& c, Stream& s);

}  // namespace cuda

}  // namespace arr
