// SPDX-License-Identifier: MIT
// The fast path of the host: access by one index array, and masks of few elements, in one call instead of a
// program.
#pragma once

#include "ops/indexing/indexed_access.h"

namespace arr {

// True where work of the queue runs at once on memory that this thread can read, and no scope records it.
bool runs_synchronously(const Queue& q);

// The elements, or nullptr where programs read them: see gather().
Ref<Array> gather_on_host(const IndexedView& indexed, const char* argument, Stream* stream);
// False, with nothing done, where programs write: see put(). The value broadcasts to the indexed shape; with
// nullptr it is the constant, of the array's dtype. An index out of range is an error before anything is
// written.
bool put_on_host(const IndexedView& indexed, const char* argument, const Array* value, const Scalar& constant,
                 Stream* stream);

// The values, or with none the positions in row-major order, where the mask is true; nullptr where a
// MaskSelection does it: they are too many, or not contiguous and of one shape.
Ref<Array> compact_on_host(const Array& mask, const Array* values, Stream* stream);

}  // namespace arr
