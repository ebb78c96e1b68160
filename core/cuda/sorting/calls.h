// SPDX-License-Identifier: MIT
// Work of the CUDA backend: sorts and quantiles. A function enqueues in the stream of its call.
#pragma once

namespace arr {

struct QuantileCall;
struct SortCall;

namespace cuda {

class Device;
struct Stream;

void quantiles(Device& d, const QuantileCall& c, Stream& s);
void sort(Device& d, const SortCall& c, Stream& s);

}  // namespace cuda

}  // namespace arr
