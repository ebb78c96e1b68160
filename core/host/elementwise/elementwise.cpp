// SPDX-License-Identifier: MIT
// Element-wise calls: splits the iteration space into tiles, which threads share.
#include <algorithm>
#include <cstring>

#include "host/elementwise/calls.h"
#include "host/elementwise/parallel.h"
#include "host/elementwise/tile.h"
#include "host/loops/elementwise/fused_pairs.h"

namespace arr::host {

namespace {

// Elements of a tile. A single step passes over its blocks once, so they may fill the second-level cache.
// Several steps read each other's results, which should stay in the first-level cache.
int64_t tile_capacity(const Plan& plan) {
  const int64_t blocks = plan.operands + plan.temporaries;
  const int64_t room = plan.load_bases != 0 ? 96 * 1024 : plan.steps.size() > 1 ? 24 * 1024 : 160 * 1024;
  int64_t capacity = 4096;
  const int64_t min_capacity =
      plan.load_bases == 0 && plan.short_blocks ? short_block * std::max(8 / plan.widest, 1) : 512;
  while (capacity > min_capacity && capacity * plan.widest * blocks > room) capacity /= 2;
  return capacity;
}

// Tiles whose results are written with non-temporal stores are small: the next one is computed while memory
// stores the previous one.
constexpr int64_t stream_tile_bytes = 2048, min_stream_tile = 256;

// If all operands are contiguous along rows of at least this many elements, tiles are even smaller, so that
// the processor overlaps reads and writes. A single operand allows tiles of twice that size.
constexpr int64_t long_row = 512;
int64_t row_capacity(const Plan& plan) {
  const int64_t capacity = plan.widest > 2 ? 128 : 512;
  return plan.single && plan.inputs == 1 ? 2 * capacity : capacity;
}

// The iteration space as tiles: two dimensions are split, the indices of the others are numbered.
struct Tiling {
  int32_t row = -1, col = -1;    // dimensions of the call; -1: extent 1
  int64_t nrows = 1, ncols = 1;  // extents
  int64_t rows = 1, cols = 1;    // extents of a tile
  int64_t row_tiles = 1, col_tiles = 1;
  OuterDimensions outer;
  [[nodiscard]] int64_t count() const { return outer.total * row_tiles * col_tiles; }
};

int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

// A dimension, other than the last, along which an operand has a smaller stride than along the last; -1 if
// none.
int32_t transposed_dimension(const ElementwiseCall& c, int32_t noperands) {
  int32_t found = -1;
  int64_t step = 0;
  for (int32_t k = 0; k < noperands; ++k) {
    if (c.operands[k].data == nullptr) continue;
    const int64_t* s = c.operands[k].strides;
    for (int32_t d = 0; d + 1 < c.ndim; ++d) {
      if (s[d] == 0 || magnitude(s[d]) >= magnitude(s[c.ndim - 1])) continue;
      if (found < 0 || magnitude(s[d]) < step) {
        found = d;
        step = magnitude(s[d]);
      }
    }
  }
  return found;
}

// across: the transposed dimension, or -1.
Tiling make_tiling(const ElementwiseCall& c, int32_t across, int64_t capacity) {
  Tiling t;
  if (c.ndim == 0) return t;
  t.col = c.ndim - 1;
  t.ncols = c.shape[t.col];
  t.row = across >= 0 ? across : c.ndim - 2;
  // Without a transposed operand, rows only fill the tile, so any long dimension will do. The last but one
  // has the smallest strides.
  constexpr int64_t few_elements = 256;
  if (across < 0 && c.ndim > 2 && t.ncols * c.shape[t.row] < std::min(few_elements, capacity / 4)) {
    t.row = static_cast<int32_t>(std::max_element(c.shape, c.shape + c.ndim - 1) - c.shape);
  }
  if (t.row >= 0) t.nrows = c.shape[t.row];
  if (across >= 0) {
    int64_t side = 64;
    while (side * side > capacity) side /= 2;
    t.cols = std::min(t.ncols, side);
    t.rows = std::min(t.nrows, capacity / t.cols);
    t.cols = std::min(t.ncols, capacity / t.rows);
  } else {
    t.cols = std::min(t.ncols, capacity);
    t.rows = t.ncols * t.nrows <= capacity ? t.nrows : std::min(t.nrows, capacity / t.cols);
  }
  t.row_tiles = checked::ceil_div(t.nrows, t.rows);
  t.col_tiles = checked::ceil_div(t.ncols, t.cols);
  for (int32_t d = 0; d < c.ndim; ++d) {
    if (d != t.row && d != t.col) t.outer.add(d, c.shape[d]);
  }
  return t;
}

// True if the offsets of loads change along a dimension.
bool offsets_change(const ElementwiseCall& c, const Plan& plan, int32_t dimension) {
  for (int32_t k = 0; k < plan.inputs; ++k) {
    const Operand& o = c.operands[k];
    if ((plan.offset_inputs >> k & 1U) != 0 && o.data != nullptr && o.strides[dimension] != 0) return true;
  }
  return false;
}

// Makes tiles of several rows that have the same offsets, which are computed once.
void share_offsets(const ElementwiseCall& c, const Plan& plan, int64_t capacity, Tiling* t) {
  constexpr int64_t shared_rows = 8;
  if (plan.offset_inputs == 0 || t->row < 0 || t->rows >= shared_rows || offsets_change(c, plan, t->row))
    return;
  t->cols = std::min(t->ncols, std::max<int64_t>(64, capacity / shared_rows));
  t->rows = std::min(t->nrows, capacity / t->cols);
  t->row_tiles = checked::ceil_div(t->nrows, t->rows);
  t->col_tiles = checked::ceil_div(t->ncols, t->cols);
}

// Tiles of whole rows, for TileRunner::run_row.
Tiling make_row_tiling(const ElementwiseCall& c) {
  Tiling t;
  t.col = c.ndim - 1;
  t.ncols = c.shape[t.col];
  t.cols = std::min(t.ncols, serial_elements);
  t.col_tiles = checked::ceil_div(t.ncols, t.cols);
  for (int32_t d = 0; d < t.col; ++d) t.outer.add(d, c.shape[d]);
  return t;
}

struct TileWork {
  TileWork(const ElementwiseCall& c, const Plan& p) : call(c), plan(p) {}
  const ElementwiseCall& call;
  const Plan& plan;
  Tiling tiling;
  int64_t capacity = 0;
  bool stream = false, by_rows = false;
  bool each_row = false;  // tiles are computed row by row
  TileOperands operands;

  void run(int64_t first, int64_t last) const;
};

void TileWork::run(int64_t first, int64_t last) const {
  TileRunner runner(plan, operands.data(), capacity, stream,
                    scratch(TileRunner::scratch_bytes(plan, capacity)));
  TileData data;
  for (int64_t i = first; i < last; ++i) {
    const int64_t col = i % tiling.col_tiles * tiling.cols;
    const int64_t row = i / tiling.col_tiles % tiling.row_tiles * tiling.rows;
    data.set(operands.data(), plan.operands, row, col);
    tiling.outer.visit(i / tiling.col_tiles / tiling.row_tiles, call.shape,
                       [&](int32_t d, int64_t steps) { data.move(call.operands, plan.operands, d, steps); });
    const int64_t cols = std::min(tiling.cols, tiling.ncols - col);
    const int64_t rows = std::min(tiling.rows, tiling.nrows - row);
    if (by_rows) {
      runner.run_row(data.at, cols);
    } else if (each_row) {
      runner.run_each_row(data.at, rows, cols);
    } else {
      runner.run(data.at, rows, cols);
    }
  }
}

void set_operands(TileWork* w) {
  const ElementwiseCall& c = w->call;
  for (int32_t k = 0; k < w->plan.operands; ++k) {
    TileOperand& o = w->operands[static_cast<size_t>(k)];
    set_tile_operand(c.operands[k], c.ndim, w->tiling.row, w->tiling.col, &o);
    // Results are never constant, and a single element is read in place as fast.
    if (k >= w->plan.inputs || c.ndim == 0) o.constant = o.data == nullptr;
  }
}

// True if copying operands into blocks, because their rows are not adjacent in memory, costs more than
// calling each loop once per row.
bool rows_apart(const TileWork& w) {
  constexpr int64_t loop_bytes = 256;  // number of bytes that are copied in the time of a call
  const Tiling& t = w.tiling;
  if (t.rows == 1 || w.plan.load_bases != 0 || w.plan.copy) return false;
  int64_t copied = 0;  // bytes of a row
  for (int32_t k = 0; k < w.plan.operands; ++k) {
    const auto i = static_cast<size_t>(k);
    const TileOperand& o = w.operands[i];
    const int64_t item = w.plan.item[i];
    if (o.data == nullptr || o.constant || o.ramp || o.col != item || o.row == t.cols * item) continue;
    copied += t.cols * item;
  }
  return copied >= loop_bytes * (1 + static_cast<int64_t>(w.plan.steps.size()));
}

bool contiguous(const ElementwiseCall& c, const Plan& plan) {
  if (c.ndim > 1) return false;
  for (int32_t k = 0; k < plan.operands; ++k) {
    const Operand& o = c.operands[k];
    if (o.data == nullptr || o.ramp) return false;
    if (c.ndim == 1 && o.strides[0] != plan.item[static_cast<size_t>(k)]) return false;
  }
  return true;
}

// Runs a single loop, or a small copy, over contiguous memory.
void run_single(const ElementwiseCall& c, const Plan& plan, int64_t first, int64_t n) {
  if (plan.copy) {
    const int64_t item = plan.item[0];
    std::memmove(static_cast<char*>(c.operands[1].data) + first * item,
                 static_cast<const char*>(c.operands[0].data) + first * item, static_cast<size_t>(n * item));
    return;
  }
  const Plan::Step& s = plan.steps[0];
  const void* in[3] = {};
  for (int16_t i = 0; i < s.nin; ++i) {
    const auto k = static_cast<size_t>(s.in[i]);
    in[i] = static_cast<const char*>(c.operands[k].data) + first * plan.item[k];
  }
  const auto out = static_cast<size_t>(plan.inputs);
  s.loop(n, in, static_cast<char*>(c.operands[out].data) + first * plan.item[out]);
}

// True if an input is one element for the whole call.
bool one_element(const ElementwiseCall& c, const Plan& plan, int32_t k) {
  const Operand& o = c.operands[k];
  return k < plan.inputs && (o.data == nullptr || (c.ndim == 1 && o.strides[0] == 0));
}

// True for a single loop over contiguous memory and single elements, and for copies of a single element.
bool contiguous_or_one(const ElementwiseCall& c, const Plan& plan) {
  const bool fill = plan.copy && one_element(c, plan, 0);
  if (!(plan.single || fill) || plan.load_bases != 0 || plan.tables != 0 || c.ndim > 1) return false;
  for (int32_t k = 0; k < plan.operands; ++k) {
    const Operand& o = c.operands[k];
    if (o.ramp) return false;
    if (one_element(c, plan, k)) continue;
    if (o.data == nullptr || (c.ndim == 1 && o.strides[0] != plan.item[static_cast<size_t>(k)])) return false;
  }
  return true;
}

// Runs such a call: a single element that a loop reads is expanded to the length of a piece, which stays in
// the first-level cache.
void run_pieces(const ElementwiseCall& c, const Plan& plan, int64_t first, int64_t n) {
  const int64_t item = plan.item[static_cast<size_t>(plan.inputs)];
  char* out = static_cast<char*>(c.operands[plan.inputs].data) + first * item;
  if (plan.copy) {
    const Operand& o = c.operands[0];
    loops().fill[plan.log2[0]](n, o.data != nullptr ? o.data : static_cast<const void*>(&o.value.lo), out);
    return;
  }
  constexpr int64_t piece_bytes = 4096;
  alignas(64) char ones[3][piece_bytes];
  const int64_t piece = std::min(n, piece_bytes / plan.widest);
  const Plan::Step& s = plan.steps[0];
  const void* in[3] = {};
  int64_t bytes[3] = {};  // its step from piece to piece
  for (int16_t i = 0; i < s.nin; ++i) {
    const auto k = static_cast<size_t>(s.in[i]);
    const Operand& o = c.operands[k];
    if (one_element(c, plan, s.in[i])) {
      const void* value = o.data != nullptr ? o.data : static_cast<const void*>(&o.value.lo);
      loops().fill[plan.log2[k]](piece, value, ones[i]);
      in[i] = ones[i];
    } else {
      in[i] = static_cast<const char*>(o.data) + first * plan.item[k];
      bytes[i] = piece * plan.item[k];
    }
  }
  for (int64_t done = 0; done < n; done += piece) {
    s.loop(std::min(piece, n - done), in, out + done * item);
    for (int16_t i = 0; i < s.nin; ++i) in[i] = static_cast<const char*>(in[i]) + bytes[i];
  }
}

// True unless a result that is an unchanged input could be overwritten by another result before it is stored.
bool results_independent(const ElementwiseCall& c, const Plan& plan) {
  for (int32_t j = plan.inputs; plan.outputs.size() > 1 && j < plan.operands; ++j) {
    for (int32_t k = 0; k < plan.inputs; ++k) {
      if (c.operands[j].data == c.operands[k].data) return false;
    }
  }
  return true;
}

// True if along long rows every operand is contiguous or an input that is one element. A result may be an
// operand, because a tile is read completely before it is written.
bool long_rows(const ElementwiseCall& c, const Plan& plan) {
  if (plan.load_bases != 0 || c.ndim == 0 || c.shape[c.ndim - 1] < long_row) return false;
  for (int32_t k = 0; k < plan.operands; ++k) {
    const Operand& o = c.operands[k];
    const bool input = k < plan.inputs;
    if (o.data == nullptr && input) continue;
    if (o.data == nullptr || o.ramp) return false;
    const int64_t step = o.strides[c.ndim - 1];
    if (step != plan.item[static_cast<size_t>(k)] && !(input && step == 0)) return false;
  }
  return results_independent(c, plan);
}

}  // namespace

void elementwise(const ElementwiseCall& c) {
  const Plan& plan = plan_of(*c.program);
  const int64_t count = c.ndim == 0 ? 1 : c.shape[0];
  constexpr int64_t small_copy = 16 * 1024;  // bytes; memmove is slower than our loops for longer ones
  const bool small = plan.copy && count * plan.item[0] <= small_copy;
  const bool flat = (small || (plan.single && plan.load_bases == 0)) && contiguous(c, plan);
  const int64_t serial = plan.serial_elements();
  if (flat && count <= serial) return run_single(c, plan, 0, count);
  const bool pieces = !flat && contiguous_or_one(c, plan);
  if (pieces && count <= serial) return run_pieces(c, plan, 0, count);

  TileWork w(c, plan);
  int64_t total = 1, written = 0;
  for (int32_t d = 0; d < c.ndim; ++d) total *= c.shape[d];
  for (size_t k = static_cast<size_t>(plan.inputs); k < plan.item.size(); ++k) written += plan.item[k];
  w.stream = written > 0 && (c.nontemporal || total * written >= stream_bytes);
  if ((flat || pieces) && !w.stream) {
    const auto run = flat ? run_single : run_pieces;
    parallel_ranges(total, serial, [&](int64_t first, int64_t last) { run(c, plan, first, last - first); });
    return;
  }
  w.by_rows = w.stream && long_rows(c, plan);
  if (w.by_rows) {
    w.capacity = row_capacity(plan);
    w.tiling = make_row_tiling(c);
  } else {
    const int32_t across = transposed_dimension(c, plan.operands);
    w.capacity = tile_capacity(plan);
    if (w.stream && across < 0 && plan.load_bases == 0) {
      w.capacity = std::min(w.capacity, std::max(stream_tile_bytes / written, min_stream_tile));
    }
    w.tiling = make_tiling(c, across, w.capacity);
    share_offsets(c, plan, w.capacity, &w.tiling);
  }
  w.capacity = std::min(w.capacity, w.tiling.rows * w.tiling.cols);  // the length of a constant's block
  set_operands(&w);
  w.each_row = !w.by_rows && rows_apart(w);
  // Allocates memory for this thread's tiles before another thread writes over an operand.
  scratch(TileRunner::scratch_bytes(plan, w.capacity));
  const int64_t grain = std::max<int64_t>(1, serial / (w.tiling.rows * w.tiling.cols));
  parallel_ranges(w.tiling.count(), grain, [&](int64_t first, int64_t last) { w.run(first, last); });
}

}  // namespace arr::host
