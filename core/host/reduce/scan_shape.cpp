// SPDX-License-Identifier: MIT
// Chooses the tiles of a scan.
#include "host/reduce/scan_shape.h"
#include "backend/reduce.h"

#include <algorithm>
#include <cstdlib>

namespace arr::host {

namespace {

// A tile's results stay in the second-level cache until they are written. Its lanes are long enough for the
// hardware prefetcher. They are not a multiple of a page for any element size, because they would then fall
// into the same few sets of the first-level cache.
constexpr int64_t scan_tile_elements = 16640, column_elements = 8192;
static_assert(scan_lane(scan_tile_elements) == 2080);
// Fewer neighbouring sequences than this are gathered into rows.
constexpr int64_t min_columns = 4;
// With at least this many groups of columns, threads take whole groups.
constexpr int64_t enough_groups = 8;

const int64_t* first_strides(const ScanCall& c, const Plan& plan) {
  for (int32_t k = 0; k < plan.inputs; ++k) {
    if (c.operands[k].data != nullptr) return c.operands[k].strides;
  }
  return c.output.strides;
}

}  // namespace

ScanShape::ScanShape(const ScanCall& c, const Plan& plan) {
  const int32_t scanned = c.ndim - 1;
  const int64_t* strides = first_strides(c, plan);
  int32_t kept = -1;
  for (int32_t d = 0; d < scanned; ++d) {
    if (strides[d] != 0 && (kept < 0 || std::abs(strides[d]) <= std::abs(strides[kept]))) kept = d;
  }
  by_columns =
      kept >= 0 && c.shape[kept] >= min_columns && std::abs(strides[kept]) < std::abs(strides[scanned]);
  row = by_columns ? scanned : kept;
  col = by_columns ? kept : scanned;
  int64_t written = item_size(c.out);
  for (int32_t d = 0; d < c.ndim; ++d) {
    written *= c.shape[d];
    if (d != row && d != col) outer.add(d, c.shape[d]);
  }
  stream = written >= stream_bytes;
  if (row >= 0) nrows = c.shape[row];
  ncols = c.shape[col];
  const Operand& first = c.operands[0];
  raw = plan.copy && first.data != nullptr && first.strides[col] == plan.item[0];
  if (by_columns) {
    choose_columns();
  } else {
    choose_rows();
  }
  row_tiles = checked::ceil_div(nrows, rows);
  col_tiles = checked::ceil_div(ncols, cols);
  sequences = outer.total * (by_columns ? col_tiles : row_tiles);
  tiles = by_columns ? row_tiles : col_tiles;
  capacity = rows * cols;
  // Columns are scanned tile by tile, unless there are too few groups of them.
  chained = tiles > 1 && (!by_columns || sequences < enough_groups);
}

void ScanShape::choose_rows() {
  cols = std::min(ncols, scan_tile_elements);
  rows = std::min(nrows, std::max<int64_t>(scan_tile_elements / 2 / cols, 1));
}

void ScanShape::choose_columns() {
  cols = std::min<int64_t>(ncols, 1024);
  while (cols > 256 && outer.total * checked::ceil_div(ncols, cols) < enough_groups) cols /= 2;
  rows = std::min(nrows, std::max<int64_t>(column_elements / cols, 1));
}

}  // namespace arr::host
