// SPDX-License-Identifier: MIT
// Work of the CUDA backend: quantiles. A function enqueues in the stream of its call.
#pragma once

namespace arr {

struct QuantileCall;

namespace cuda {

class Device;
struct Stream;

void quantiles(Device& d, const QuantileCall& c, Stream& s);

}  // namespace cuda

}  // namespace arr
