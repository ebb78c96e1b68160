// SPDX-License-Identifier: MIT
// Access by one index array, and masks of few elements, which a device that works at once reads and
// writes without a program.
#pragma once

#include "ops/indexing/places.h"

namespace arr {

// True where work of the queue runs at once on memory that this thread can read, and no scope records it.
bool works_at_once(const Queue& q);

// The elements, or nullptr where programs read them: see gather().
Ref<Array> gather_direct(const Places& places, const char* argument, Stream* stream);
// False, with nothing done, where programs write: see put(). The value broadcasts to the indexed shape; with
// nullptr it is the constant, of the array's dtype. An index out of range is an error before anything is
// written.
bool put_direct(const Places& places, const char* argument, const Array* value, const Scalar& constant,
                Stream* stream);

// The values, or with none the positions in row-major order, where the mask is true; nullptr where marks do
// it: they are too many, or not contiguous and of one shape.
Ref<Array> pick_direct(const Array& mask, const Array* values, Stream* stream);

}  // namespace arr
