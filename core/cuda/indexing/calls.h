// SPDX-License-Identifier: MIT
// Work of the CUDA backend: combining into chosen places. A function enqueues in the stream of its call.
#pragma once

namespace arr {

struct ScatterCall;

namespace cuda {

class Device;
struct Stream;

void scatter(Device& d, const ScatterCall& c, Stream& s);

}  // namespace cuda

}  // namespace arr
