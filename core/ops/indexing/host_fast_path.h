// SPDX-License-Identifier: MIT
// Fast paths of the host that use one backend call, or none, instead of a program: access by one index array,
// masks with few elements, and joins of few elements.
#pragma once

#include "ops/indexing/indexed_access.h"

namespace arr {

// True if work of the queue runs at once on memory that this thread can read, and no scope records it.
bool runs_synchronously(const Queue& q);

// Reads like gather(). Returns nullptr if this path does not apply.
Ref<Array> gather_on_host(const IndexedView& indexed, const char* argument, Stream* stream);
// Writes like put(). Returns false, with nothing done, if this path does not apply. The value broadcasts to
// the indexed shape; if it is nullptr, the constant, of the array's dtype, is written. An index out of range
// is an error, and nothing is written then.
bool put_on_host(const IndexedView& indexed, const char* argument, const Array* value, const Scalar& constant,
                 Stream* stream);

// Returns the values where the mask is true, or if there are no values, the row-major indices of the true
// elements. The `before` elements that precede the values in their memory are returned as well. Returns
// nullptr if MaskSelection must be used: there are too many elements, or the arrays are not contiguous and of
// one shape.
Ref<Array> compact_on_host(const Array& mask, const Array* values, Stream* stream, int64_t before = 0);

// Copies the parts one behind the other along an axis, or as they are in memory if `flat`. Returns false,
// with nothing done, if this path does not apply. `dst` has the joined shape and shares no memory with a
// part.
bool join_on_host(const Array& dst, std::span<const Array* const> parts, int32_t axis, bool flat,
                  Stream* stream);

}  // namespace arr
