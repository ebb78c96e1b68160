// SPDX-License-Identifier: MIT
// What functions that write into an existing array share.
#pragma once

#include "ops/engine/create.h"

namespace arr {

// Throws where a result of that shape does not fit dst, or dst is not to be written.
void check_destination(const Array& dst, const Layout& result, const char* argument = "dst");
// Whether a result of that type, made from `a`, may be written to dst while it is made: dst has the type, is
// on the device and shares no memory with `a`.
bool writes_straight(const Array& dst, DType result, const Array& a);
// What a function made, into dst: cast within a kind. Throws as check_destination.
void write_result(const Array& dst, const Array& result, Stream* stream);

}  // namespace arr
