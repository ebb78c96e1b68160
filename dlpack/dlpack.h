// SPDX-License-Identifier: MIT
// Arrays as DLPack tensors and back, without a copy of the elements.
#pragma once

#include "array/array.h"
#include "dlpack/abi.h"
#include "runtime/streams.h"

namespace arr::dlpack {

// The tensor's deleter releases it; it may be called on any thread, also from a driver's callback. stream:
// the consumer's, a token as in arr/dlpack.h.
ManagedVersioned* to_versioned(const Array& a, int64_t stream, bool copied);
Managed* to_legacy(const Array& a, int64_t stream, bool copied);

// An array on a foreign tensor's memory. The tensor stays the caller's until own(*array->buffer, drop, t) has
// been called, which cannot fail.
struct Import {
  Ref<Array> array;
  Drop drop;
};
// A tensor of another major version is deleted, then ARR_E_FORMAT thrown.
Import from_versioned(ManagedVersioned* t, int64_t stream);
Import from_legacy(Managed* t, int64_t stream, bool readonly);

// Throws unless the token may be used with the device; `argument` names it.
void check_stream_token(Device device, int64_t token, const char* argument);
// Somebody else's CUDA stream.
Ref<Stream> foreign_stream(Device device, int64_t token);
// Makes that stream wait for the work on memory of a GPU, or the memory's next use for that stream.
Ref<Stream> follow_uses(Buffer& memory, int64_t token);
void follow_producer(Buffer& memory, int64_t token);

}  // namespace arr::dlpack
