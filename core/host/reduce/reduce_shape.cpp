// SPDX-License-Identifier: MIT
// Chooses how a reduction is cut into tiles, blocks and chunks.
#include "host/reduce/reduce_shape.h"
#include "backend/reduce.h"

#include <algorithm>

namespace arr::host {

namespace {

// Fewer outputs than this are reduced one by one.
constexpr int64_t few_outputs = 16;
constexpr int64_t tile_elements = 4096, raw_elements = 32 * 1024;

int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

// The dimension of first .. last in which the first array operand has the smallest stride; -1 if there is
// none.
int32_t fastest(const ReduceCall& c, int32_t operands, int32_t first, int32_t last) {
  const int64_t* strides = nullptr;
  for (int32_t k = operands; k-- > 0;) {
    if (c.operands[k].data != nullptr) strides = c.operands[k].strides;
  }
  int32_t best = -1;
  for (int32_t d = first; d < last; ++d) {
    if (best < 0 || strides == nullptr) {
      best = d;
      continue;
    }
    const int64_t old = magnitude(strides[best]), now = magnitude(strides[d]);
    if (now != 0 && (old == 0 || now <= old)) best = d;
  }
  return best;
}

}  // namespace

ReduceShape::ReduceShape(const ReduceCall& call, const Plan& plan, int64_t shortest_row) {
  for (int32_t d = 0; d < call.ndim; ++d) (d < call.nkept ? outputs : reduced) *= call.shape[d];
  choose_dimensions(call, plan, shortest_row);
  choose_tiles(call, plan);
  choose_chunks();
  choose_groups(call);
}

void ReduceShape::choose_dimensions(const ReduceCall& c, const Plan& plan, int64_t shortest_row) {
  const int32_t k = fastest(c, plan.inputs, 0, c.nkept);
  const int32_t r = fastest(c, plan.inputs, c.nkept, c.ndim);
  const int64_t kept_extent = k < 0 ? 1 : c.shape[k], reduced_extent = r < 0 ? 1 : c.shape[r];
  const int64_t* s = nullptr;
  for (int32_t i = 0; i < plan.inputs && s == nullptr; ++i) {
    if (c.operands[i].data != nullptr) s = c.operands[i].strides;
  }
  if (k < 0 || r < 0) {
    by_columns = r < 0 && k >= 0;
  } else if (reduced_extent < shortest_row && kept_extent > reduced_extent) {
    by_columns = true;
  } else if (kept_extent < few_outputs && kept_extent < reduced_extent) {
    // A few columns without gaps between the rows are processed as many.
    by_columns = s != nullptr && s[k] > 0 && s[r] == kept_extent * s[k];
  } else {
    by_columns = s != nullptr && magnitude(s[k]) < magnitude(s[r]);
  }
  col = by_columns ? k : r;
  if (by_columns) {
    row = r;
    kept = k;
  } else {
    // Short rows are processed several at a time: other reduced rows if there are any, else rows of other
    // outputs.
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
  const Operand& first = c.operands[0];
  raw = plan.copy && first.data != nullptr && (col < 0 || first.strides[col] == plan.item[0]);
  // Tiles that are not raw go through blocks of `capacity` elements.
  capacity = tile_elements;
  while (capacity > 512 && capacity * plan.widest * (plan.operands + plan.temporaries) > 192 * 1024) {
    capacity /= 2;
  }
  const int64_t most = raw ? raw_elements : capacity;
  cols = std::min(ncols, by_columns ? std::min<int64_t>(most, tile_elements) : most);
  if (by_columns && !raw) cols = std::min(cols, std::max<int64_t>(capacity / nrows, nrows <= 64 ? 64 : 256));
  rows = std::min(nrows, std::max<int64_t>(most / cols, 1));
  if (by_columns && raw) rows = std::min<int64_t>(nrows, std::max<int64_t>(rows, 64));
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

void ReduceShape::choose_chunks() {
  constexpr int64_t wanted_tasks = 64, task_elements = 64 * 1024, most_chunks = 4096;
  int64_t n = reduced / (by_columns ? 16 * 1024 : 256 * 1024);
  if (blocks < wanted_tasks) {
    const int64_t for_threads = checked::ceil_div(wanted_tasks, blocks);
    n = std::max(n, std::min(for_threads, outputs * reduced / task_elements));
  }
  chunks = std::clamp<int64_t>(n, 1, std::min(segments, most_chunks));
}

void ReduceShape::choose_groups(const ReduceCall& c) {
  const int64_t most = checked::ceil_div(segments, chunks);  // of a chunk
  const bool rounds = c.reduction->kind != ReduceKind::INDEX && (is_floating(c.acc) || is_complex(c.acc));
  // A row or a tile adds one rounding error; with columns, each row does. States are joined in wider types,
  // which costs more.
  const int64_t high = c.reduction->kind == ReduceKind::STATE ? 1024 : 128;
  group = !rounds ? most : by_columns ? std::max<int64_t>(1, high / rows) : 16;
  for (int64_t groups = checked::ceil_div(most, group); groups > 1 && groups >> levels != 0;) ++levels;
}

}  // namespace arr::host
