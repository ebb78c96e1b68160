// SPDX-License-Identifier: MIT
// Chooses the tiles, blocks and chunks of a reduction.
#include "host/reduce/reduce_shape.h"
#include "backend/reduce.h"

#include <algorithm>
#include <cstdlib>

namespace arr::host {

namespace {

// Fewer outputs than this are reduced one by one.
constexpr int64_t few_outputs = 16;
constexpr int64_t wanted_tasks = 64;
constexpr int64_t tile_elements = 4096, raw_elements = 32 * 1024;
// Blocks of a program's steps, which read each other's results, should stay in the first-level cache.
constexpr int64_t min_elements = 1024, steps_bytes = 32 * 1024;

// The combined strides of all array operands in a dimension: each of two broadcast inputs may have stride 0
// along another one.
int64_t step(const ReduceCall& c, int32_t operands, int32_t dimension) {
  int64_t sum = 0;
  for (int32_t k = 0; k < operands; ++k) {
    if (c.operands[k].data != nullptr) sum += std::abs(c.operands[k].strides[dimension]);
  }
  return sum;
}

// The dimension in first .. last along which the array operands, and among equal ones the output, have the
// smallest stride; -1 if there is none.
int32_t fastest(const ReduceCall& c, int32_t operands, int32_t first, int32_t last) {
  int32_t best = -1;
  for (int32_t d = first; d < last; ++d) {
    if (best < 0) {
      best = d;
      continue;
    }
    const int64_t old = step(c, operands, best), now = step(c, operands, d);
    const bool farther = d < c.nkept && std::abs(c.output.strides[d]) > std::abs(c.output.strides[best]);
    if (now != 0 && (old == 0 || now < old || (now == old && !farther))) best = d;
  }
  return best;
}

// True if a few gathered rows with many columns serve all lines: no operand that varies along kept dimension
// k varies along another one.
bool columns_stay(const ReduceCall& c, const Plan& plan, int32_t k) {
  constexpr int64_t max_rows = 12, min_columns = 64, min_lines = 8;
  if (plan.steps.empty() || c.ndim - c.nkept != 1 || c.shape[c.nkept] > max_rows) return false;
  int64_t lines = 1;
  for (int32_t d = 0; d < c.nkept; ++d) lines *= d == k ? 1 : c.shape[d];
  if (c.shape[k] < min_columns || lines < min_lines) return false;
  for (int32_t i = 0; i < plan.inputs; ++i) {
    const Operand& o = c.operands[i];
    if (o.data == nullptr || o.strides[k] == 0) continue;
    for (int32_t d = 0; d < c.nkept; ++d) {
      if (d != k && o.strides[d] != 0) return false;
    }
  }
  return true;
}

// The longest kept dimension, if lines along `k` are so short that a tile, which has outputs of one line,
// would have a few elements.
int32_t longer_line(const ReduceCall& c, int32_t k, int64_t reduced_extent) {
  constexpr int64_t few_elements = 192, times = 4;
  if (c.shape[k] * reduced_extent >= few_elements) return k;
  int32_t longest = k;
  for (int32_t d = 0; d < c.nkept; ++d) {
    if (c.shape[d] > c.shape[longest]) longest = d;
  }
  return c.shape[longest] >= times * c.shape[k] ? longest : k;
}

}  // namespace

bool contiguous_columns(const ReduceCall& c, const Plan& plan, int32_t col) {
  for (size_t i = 0; i < static_cast<size_t>(plan.inputs); ++i) {
    const Operand& o = c.operands[i];
    if (o.data == nullptr || (col >= 0 && o.strides[col] != plan.item[i])) return false;
  }
  return true;
}

ReduceShape::ReduceShape(const ReduceCall& call, const Plan& plan, const ReduceLoops& loops)
    : ends(loops.ends) {
  for (int32_t d = 0; d < call.ndim; ++d) (d < call.nkept ? outputs : reduced) *= call.shape[d];
  choose_dimensions(call, plan, loops.shortest_row);
  raw = plan.copy && contiguous_columns(call, plan, col);
  products = plan.product && loops.products != nullptr && !by_columns && contiguous_columns(call, plan, col);
  choose_tiles(call, plan);
  choose_order(call, plan);
  choose_chunks(plan);
  choose_groups(call);
}

void ReduceShape::choose_dimensions(const ReduceCall& c, const Plan& plan, int64_t shortest_row) {
  int32_t k = fastest(c, plan.inputs, 0, c.nkept);
  const int32_t r = fastest(c, plan.inputs, c.nkept, c.ndim);
  const int64_t reduced_extent = r < 0 ? 1 : c.shape[r];
  if (k >= 0 && r >= 0) k = longer_line(c, k, reduced_extent);
  const int64_t kept_extent = k < 0 ? 1 : c.shape[k];
  const int64_t* s = nullptr;
  for (int32_t i = 0; i < plan.inputs && s == nullptr; ++i) {
    if (c.operands[i].data != nullptr) s = c.operands[i].strides;
  }
  if (k < 0 || r < 0) {
    by_columns = r < 0 && k >= 0;
  } else if ((reduced_extent < shortest_row && kept_extent > reduced_extent) || columns_stay(c, plan, k)) {
    by_columns = true;
  } else if (kept_extent < few_outputs && kept_extent < reduced_extent) {
    // A few columns without gaps between rows are processed as more columns.
    by_columns = s != nullptr && s[k] > 0 && s[r] == kept_extent * s[k];
  } else {
    by_columns = step(c, plan.inputs, k) < step(c, plan.inputs, r);
  }
  col = by_columns ? k : r;
  if (by_columns) {
    row = r;
    kept = k;
  } else {
    // Short rows are processed several at a time: other reduced rows if there are any, otherwise rows of
    // other outputs.
    for (int32_t d = c.ndim - 1; d >= c.nkept; --d) {
      if (d != col && row < 0) row = d;
    }
    rows_kept = row < 0 && k >= 0;
    if (rows_kept) row = kept = k;
  }
  for (int32_t d = 0; d < c.ndim; ++d) {
    if (d == row || d == col) continue;
    (d < c.nkept ? outer_kept : outer_reduced).add(d, c.shape[d]);
  }
}

void ReduceShape::choose_tiles(const ReduceCall& c, const Plan& plan) {
  if (row >= 0) nrows = c.shape[row];
  if (col >= 0) ncols = c.shape[col];
  // Tiles that are not raw go through blocks of `capacity` elements.
  capacity = tile_elements;
  while (capacity > 512 && capacity * plan.widest * (plan.operands + plan.temporaries) > 192 * 1024) {
    capacity /= 2;
  }
  while (!plan.steps.empty() && capacity > min_elements &&
         capacity * plan.widest * (plan.operands + plan.temporaries) > steps_bytes) {
    capacity /= 2;
  }
  const int64_t max_elements = raw || products ? raw_elements : capacity;
  cols = std::min(ncols, by_columns ? std::min<int64_t>(max_elements, tile_elements) : max_elements);
  if (by_columns && !raw)
    cols = std::min(cols, std::max<int64_t>(capacity / nrows, nrows <= 64 ? 64 : capacity / 16));
  rows = std::min(nrows, std::max<int64_t>(max_elements / cols, 1));
  if (by_columns && raw) rows = std::min<int64_t>(nrows, std::max<int64_t>(rows, 64));
  if (by_columns && raw && c.reduction->kind == ReduceKind::STATE) {
    // The states of columns are joined after each tile, which costs as much as tens of rows. The loop reads
    // 256 columns of a tile twice; they fit into the second-level cache.
    cols = std::min<int64_t>(cols, 1024);
    rows = std::min(nrows, std::max<int64_t>(rows, 1024 / plan.item[0]));
  }
  // Tasks have a few columns, not a few rows, because each task of rows would search for the final value
  // again.
  if (by_columns && ends) cols = std::clamp<int64_t>(cols / tasks(plan), std::min<int64_t>(cols, 16), cols);
  row_tiles = checked::ceil_div(nrows, rows);
  col_tiles = checked::ceil_div(ncols, cols);
  if (kept >= 0) {
    nkept = c.shape[kept];
    block = by_columns ? cols : rows;
    blocks_per_line = by_columns ? col_tiles : row_tiles;
  }
  blocks = outer_kept.total * blocks_per_line;
  segments = outer_reduced.total * (by_columns ? row_tiles : rows_kept ? col_tiles : row_tiles * col_tiles);
}

bool ReduceShape::line_by_line() const {
  constexpr int64_t few_rows = 32;  // more, if short, may be merged before they are combined
  if (products || chunks != 1 || outer_reduced.total != 1) return false;
  return by_columns ? nrows < few_rows && segments <= group : rows_kept && col_tiles == 1;
}

// A gathered input that is the same for all lines is gathered once for the blocks at one offset.
void ReduceShape::choose_order(const ReduceCall& c, const Plan& plan) {
  if (raw || products || blocks_per_line == 1 || outer_kept.total == 1) return;
  for (int32_t k = 0; k < plan.inputs && !lines_last; ++k) {
    const Operand& o = c.operands[k];
    if (o.data == nullptr || o.strides[kept] == 0) continue;
    const int64_t item = plan.item[static_cast<size_t>(k)];
    if (o.strides[col] == item && (row < 0 || o.strides[row] == cols * item)) continue;  // read in place
    lines_last = std::all_of(outer_kept.dims, outer_kept.dims + outer_kept.n,
                             [&](int32_t d) { return o.strides[d] == 0; });
  }
}

// Small tasks if there are few, so that a thread that starts late gets fewer of them.
int64_t ReduceShape::tasks(const Plan& plan) const {
  const int64_t elements = outputs * reduced;
  const int64_t serial =
      raw || products ? serial_reduced_bytes / plan.inputs / plan.widest : serial_bytes / plan.widest;
  return elements < serial ? 1 : std::min<int64_t>(elements / (serial / 8), wanted_tasks);
}

void ReduceShape::choose_chunks(const Plan& plan) {
  constexpr int64_t max_chunks = 4096, max_ends = 16;
  int64_t n = reduced / (by_columns ? 16 * 1024 : 256 * 1024);
  if (blocks < wanted_tasks) {
    n = std::max(n, by_columns && ends ? std::min(tasks(plan), max_ends) / blocks
                                       : checked::ceil_div(tasks(plan), blocks));
  }
  chunks = std::clamp<int64_t>(n, 1, std::min(segments, max_chunks));
}

void ReduceShape::choose_groups(const ReduceCall& c) {
  const int64_t max_segments = checked::ceil_div(segments, chunks);  // max segments per chunk
  const bool rounds = c.reduction->kind != ReduceKind::INDEX && (is_floating(c.acc) || is_complex(c.acc));
  // A row or a tile adds one rounding error; with columns, each row does. States are joined in wider types,
  // which costs more.
  const int64_t high = c.reduction->kind == ReduceKind::STATE ? 1024 : 128;
  group = !rounds ? max_segments : by_columns ? std::max<int64_t>(1, high / rows) : 16;
  for (int64_t groups = checked::ceil_div(max_segments, group); groups > 1 && groups >> levels != 0;)
    ++levels;
}

}  // namespace arr::host
