// SPDX-License-Identifier: MIT
// The shape of a scan. If partial results are combined, it does not depend on the number of threads, so the
// result has the same bits on every run.
#pragma once

#include "backend/reduce.h"
#include "host/reduce/reduce_shape.h"

namespace arr::host {

// by_columns: neighbours in memory belong to different sequences, and a tile has `rows` elements of `cols`
// sequences. Otherwise a tile has `cols` contiguous elements of `rows` sequences.
struct ScanShape {
  bool by_columns = false;
  bool raw = false;            // no program and contiguous columns: the input is used in place
  bool stream = false;         // results are written with non-temporal stores
  bool chained = false;        // tiles of a sequence are scanned independently, then combined with the carry
  int32_t row = -1, col = -1;  // dimensions of the tile
  int64_t nrows = 1, ncols = 1, rows = 1, cols = 1, row_tiles = 1, col_tiles = 1;
  OuterDimensions outer;
  int64_t capacity = 1;              // elements of a tile
  int64_t sequences = 1, tiles = 1;  // groups of sequences; tiles of each

  ScanShape(const ScanCall& call, const Plan& plan);

 private:
  void choose_rows();
  void choose_columns();
};

}  // namespace arr::host
