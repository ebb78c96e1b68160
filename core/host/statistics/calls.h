// SPDX-License-Identifier: MIT
// Work of the host: quantiles. Functions are threaded and return when the work
// is done; device/streams.h has its order. Exceptions are arr::Error.
#pragma once

namespace arr {

struct QuantileCall;

namespace host {

void quantiles(const QuantileCall& call);
void weighted_quantiles(const QuantileCall& call);

}  // namespace host

}  // namespace arr
