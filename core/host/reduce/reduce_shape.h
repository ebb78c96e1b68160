// SPDX-License-Identifier: MIT
// The shape of a reduction: blocks of outputs, and chunks of the reduced range whose partial results are
// combined in a fixed order. It does not depend on the number of threads, so the result has the same bits on
// every run.
#pragma once

#include <cstdint>

#include "backend/reduce.h"
#include "host/elementwise/tile.h"

namespace arr::host {

// True if no input is a single element, and elements along dimension `col` (-1: there is one) are contiguous.
bool contiguous_columns(const ReduceCall& call, const Plan& plan, int32_t col);

// A tile has rows (dimension `row`) and columns (dimension `col`). by_columns: columns are outputs, and rows
// are reduced. Otherwise each row is reduced along its columns; rows are outputs (rows_kept) or are reduced
// too.
struct ReduceShape {
  bool by_columns = false, rows_kept = false;
  bool raw = false;       // no program and contiguous columns: tiles are used in place
  bool products = false;  // the same of sums of products, for which there is a loop
  int32_t row = -1, col = -1;
  int64_t nrows = 1, ncols = 1, rows = 1, cols = 1, row_tiles = 1, col_tiles = 1;
  int32_t kept = -1;  // the kept dimension of a block of outputs; -1: one output
  int64_t nkept = 1, block = 1, blocks_per_line = 1;
  OuterDimensions outer_kept, outer_reduced;
  bool lines_last = false;  // blocks at the same offset in all lines are processed one after the other
  int64_t outputs = 1, reduced = 1;
  int64_t blocks = 1;    // number of outputs
  int64_t segments = 1;  // reduced tiles of a block
  int64_t chunks = 1;    // number of parts of the segments
  // Segments are accumulated in groups, which are joined as a tree of this many levels, because rounding
  // errors grow with the number of elements added one after the other.
  static constexpr int64_t max_levels = 48;
  int64_t group = 1, levels = 0;
  int64_t capacity = 1;  // number of elements of a tile

  bool ends = false;  // the loops stop at a final value

  // Rows of fewer than loops.shortest_row elements are reduced as columns, many at a time.
  ReduceShape(const ReduceCall& call, const Plan& plan, const ReduceLoops& loops);
  // True if the order in which an output's elements are combined depends only on by_columns: each output is
  // one row of one tile, or a column of few rows.
  [[nodiscard]] bool line_by_line() const;
  // The i-th block in the order of work.
  [[nodiscard]] int64_t block_in_order(int64_t i) const {
    return lines_last ? i % outer_kept.total * blocks_per_line + i / outer_kept.total : i;
  }

 private:
  [[nodiscard]] int64_t tasks(const Plan& plan) const;
  void choose_dimensions(const ReduceCall& call, const Plan& plan, int64_t shortest_row);
  void choose_tiles(const ReduceCall& call, const Plan& plan);
  void choose_order(const ReduceCall& call, const Plan& plan);
  void choose_chunks(const Plan& plan);
  void choose_groups(const ReduceCall& call);
};

}  // namespace arr::host
