// SPDX-License-Identifier: MIT
// Helpers of functions that write into an existing array.
#pragma once

#include "ops/elementwise/create.h"

namespace arr {

// Throws if dst does not have that shape, or is not writable.
void check_destination(const Array& dst, const Layout& result, const char* argument = "dst");
// True if a function of `a` with a result of that dtype can compute it in dst without a temporary: dst has
// the dtype, is on the same device and shares no memory with `a`.
bool can_write_directly(const Array& dst, DType result, const Array& a);
// Assigns a result to dst, cast by the same_kind rule. Throws like check_destination.
void write_result(const Array& dst, const Array& result, Stream* stream);

}  // namespace arr
