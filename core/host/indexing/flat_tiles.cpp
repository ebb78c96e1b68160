// SPDX-License-Identifier: MIT
// Runs a program over consecutive elements: as one tile if they form a block, otherwise as the joined tiles
// of their blocks.
#include "host/indexing/flat_tiles.h"

namespace arr::host {

FlatShape::FlatShape(int32_t ndim, const int64_t* extents)
    : shape(extents), row_dimension(ndim >= 2 ? ndim - 2 : -1), col_dimension(ndim - 1) {
  if (col_dimension >= 0) cols = extents[col_dimension];
  if (row_dimension >= 0) rows = extents[row_dimension];
  for (int32_t d = 0; d < row_dimension; ++d) outer.add(d, extents[d]);
  size = outer.total * rows * cols;
}

FlatProgram::FlatProgram(const Program& program, const FlatShape& over, int32_t ndim,
                         const Operand* call_operands, int64_t max_elements)
    : plan(plan_of(program)),
      shape(over),
      operands(call_operands),
      capacity(std::min(over.size, max_elements)) {
  for (int32_t k = 0; k < plan.inputs; ++k) {
    set_tile_operand(operands[k], ndim, over.row_dimension, over.col_dimension, tile.data() + k);
  }
}

int64_t FlatTiles::scratch_bytes(const FlatProgram& p) {
  return whole_lines(TileRunner::scratch_bytes(p.plan, p.capacity)) +
         static_cast<int64_t>(p.plan.outputs.size()) * block_bytes(p);
}

FlatTiles::FlatTiles(const FlatProgram& p, char* memory)
    : program_(p),
      tiles_(p.plan, p.tile.data(), p.capacity, false, memory),
      joined_(memory + whole_lines(TileRunner::scratch_bytes(p.plan, p.capacity))) {}

void FlatTiles::run(int64_t first, int64_t n) {
  const FlatShape& s = program_.shape;
  const Plan& plan = program_.plan;
  const size_t outputs = plan.outputs.size();
  int64_t done = 0;
  s.blocks(first, n, [&](int64_t outer, int64_t row, int64_t rows, int64_t col, int64_t cols) {
    TileData data;
    data.set(program_.tile.data(), plan.inputs, row, col);
    s.outer.visit(outer, s.shape,
                  [&](int32_t d, int64_t steps) { data.move(program_.operands, plan.inputs, d, steps); });
    tiles_.evaluate(data.at, rows, cols);
    const int64_t some = rows * cols;
    for (size_t k = 0; k < outputs; ++k) {
      results_[k] = tiles_.result(k);
      if (some == n) continue;
      char* to = joined_ + static_cast<int64_t>(k) * block_bytes(program_);
      std::copy_n(results_[k], some * item(k), to + done * item(k));
      results_[k] = to;
    }
    done += some;
  });
}

}  // namespace arr::host
