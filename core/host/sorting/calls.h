// SPDX-License-Identifier: MIT
// Work of the host: sorts. Functions are threaded and return when the work
// is done; device/streams.h has its order. Exceptions are arr::Error.
#pragma once

namespace arr {

struct SortCall;

namespace host {

void sort(const SortCall& call);

}  // namespace host

}  // namespace arr
