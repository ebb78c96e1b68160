// SPDX-License-Identifier: MIT
// Packs a condition into mask bits: threads pack and count tiles, then the counts are summed.
#include "backend/indexing.h"
#include "host/elementwise/parallel.h"
#include "host/indexing/calls.h"
#include "host/indexing/flat_tiles.h"
#include "host/loops/indexing/mask_bits.h"

namespace arr::host {

void pack_mask(const PackMaskCall& call) {
  const FlatShape shape(call.ndim, call.shape);
  const FlatProgram program(*call.map, shape, call.ndim, call.operands, compact_tile);
  const MaskLoops& loops = mask_loops();
  const MaskBits m = call.mask;
  const int64_t tiles = MaskBits::tiles(shape.size);
  parallel_ranges(tiles, serial_elements / compact_tile, [&](int64_t first, int64_t last) {
    FlatTiles run(program, scratch(FlatTiles::scratch_bytes(program)));
    for (int64_t t = first; t < last; ++t) {
      const int64_t begin = t * compact_tile, n = std::min(compact_tile, shape.size - begin);
      run.run(begin, n);
      m.before[t] = loops.pack(n, run.result(0), m.bits + begin / 64);
    }
  });
  int64_t total = 0;
  for (int64_t t = 0; t <= tiles; ++t) {
    const int64_t own = t < tiles ? m.before[t] : 0;
    m.before[t] = total;
    total += own;
  }
}

}  // namespace arr::host
