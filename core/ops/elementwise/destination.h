// SPDX-License-Identifier: MIT
// Helpers of functions that write into an existing array.
#pragma once

#include "ops/elementwise/create.h"

namespace arr {

// Throws if dst does not have that shape, or cannot be written.
void check_destination(const Array& dst, const Layout& result, const char* argument = "dst");
// True if a function of `a` with a result of that type may compute it in dst, without a temporary: dst has
// the type, is on the same device and shares no memory with `a`.
bool can_write_directly(const Array& dst, DType result, const Array& a);
// Writes a result into dst, cast with the same_kind rule. Throws as check_destination does.
void write_result(const Array& dst, const Array& result, Stream* stream);

}  // namespace arr
