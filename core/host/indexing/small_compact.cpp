// SPDX-License-Identifier: MIT
// Compacts small arrays by a mask. Larger calls pack the mask and count tiles first, which would cost more
// than the work.
#include <bit>

#include "backend/indexing.h"
#include "host/indexing/calls.h"
#include "host/loops/indexing/mask_bits.h"

namespace arr::host {

void small_compact(const SmallCompactCall& call) {
  const MaskLoops& loops = mask_loops();
  uint64_t bits[compact_tile / 64];
  *call.count = loops.pack(call.n, call.flags, bits);
  if (call.values == nullptr) {
    loops.indices(call.n, bits, 0, static_cast<int64_t*>(call.to));
  } else {
    loops.compress[std::countr_zero(static_cast<uint64_t>(call.item))](call.n, bits, call.values, call.to);
  }
}

}  // namespace arr::host
