// SPDX-License-Identifier: MIT
// Picks elements of few by their flags: for these the marks of larger calls would cost more than the work.
#include <bit>

#include "backend/indexing.h"
#include "host/indexing/calls.h"
#include "host/loops/indexing/marks.h"

namespace arr::host {

void pick(const PickCall& call) {
  const MarkLoops& loops = mark_loops();
  uint64_t bits[marks_tile / 64];
  *call.count = loops.pack(call.n, call.flags, bits);
  if (call.values == nullptr) {
    loops.places(call.n, bits, 0, static_cast<int64_t*>(call.to));
  } else {
    loops.compress[std::countr_zero(static_cast<uint64_t>(call.item))](call.n, bits, call.values, call.to);
  }
}

}  // namespace arr::host
