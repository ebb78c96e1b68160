// SPDX-License-Identifier: MIT
// What functions that write into an existing array share.
#pragma once

#include "ops/create.h"

namespace arr {

// Throws where a result of that shape does not fit dst, or dst is not to be written.
void check_destination(const Array& dst, const Layout& result);
// Whether a result of that type, made from `a`, may be written to dst while it is made: dst has the type, is
// on the device and shares no memory with `a`.
bool writes_straight(const Array& dst, DType result, const Array& a);

}  // namespace arr
