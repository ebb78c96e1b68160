// SPDX-License-Identifier: MIT
// Work of the host: element-wise runs. Functions are threaded and return when the work
// is done; device/streams.h has its order. Exceptions are arr::Error.
#pragma once

namespace arr {

struct ElementwiseCall;

namespace host {

void elementwise(const ElementwiseCall& call);

}  // namespace host

}  // namespace arr
