// SPDX-License-Identifier: MIT
// How a scan is cut. Where partial results are combined, the cut depends on the shape only, never on the
// number of threads, so the result is the same bits on every run.
#pragma once

#include "backend/reduce.h"
#include "host/reduce/reduce_shape.h"

namespace arr::host {

// by_columns: neighbours in memory belong to different sequences, which are scanned side by side: a tile has
// `cols` of them and `rows` steps. Else a tile has `rows` sequences of `cols` elements next to each other.
struct ScanShape {
  bool by_columns = false;
  bool raw = false;      // no program and contiguous columns: the input is used where it lies
  bool stream = false;   // results are written past the caches
  bool chained = false;  // tiles of one sequence are scanned apart, then shifted by what is in front of them
  int32_t row = -1, col = -1;  // dimensions of the tile
  int64_t nrows = 1, ncols = 1, rows = 1, cols = 1, row_tiles = 1, col_tiles = 1;
  Counted outer;
  int64_t capacity = 1;              // elements of a tile
  int64_t sequences = 1, tiles = 1;  // groups of sequences; tiles of each

  ScanShape(const ScanCall& call, const Plan& plan);

 private:
  void choose_rows();
  void choose_columns();
};

}  // namespace arr::host
