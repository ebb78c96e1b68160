// SPDX-License-Identifier: MIT
// Work of the host: combining into chosen places. Functions are threaded and return when the work
// is done; device/streams.h has its order. Exceptions are arr::Error.
#pragma once

namespace arr {

struct ScatterCall;

namespace host {

void scatter(const ScatterCall& call);

}  // namespace host

}  // namespace arr
