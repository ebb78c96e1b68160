// SPDX-License-Identifier: MIT
// Reductions: partial results per block of outputs and chunk of the reduced range, combined in a fixed
// order. The map program is evaluated tile by tile by the programs of core/host/elementwise.
#include <algorithm>
#include <cstring>
#include <limits>

#include "backend/reduce.h"
#include "host/device/pool_block.h"
#include "host/elementwise/calls.h"
#include "host/elementwise/parallel.h"
#include "host/reduce/calls.h"
#include "host/reduce/reduce_shape.h"

namespace arr::host {

namespace {

// A block of partial results: values, and positions for INDEX reductions.
struct Accumulators {
  char* value;
  int64_t* position;
};

class Reducer {
 public:
  explicit Reducer(const ReduceCall& call);
  void run();

 private:
  struct Workspace;  // memory of one thread
  [[nodiscard]] int64_t block_length(int64_t block) const {
    const int64_t first = block % shape_.blocks_per_line * shape_.block;
    return std::min(shape_.block, shape_.nkept - first);
  }
  [[nodiscard]] int64_t first_output(int64_t block) const {
    return block / shape_.blocks_per_line * shape_.nkept + block % shape_.blocks_per_line * shape_.block;
  }
  void reduce_block(int64_t block, int64_t chunk, Accumulators acc, Workspace& w) const;
  void reduce_segment(int64_t block, int64_t segment, Accumulators acc, Workspace& w) const;
  void combine_tile(const char* x, int64_t stride, int64_t rows, int64_t cols, int64_t position,
                    Accumulators acc, Workspace& w) const;
  void combine_rows(const char* x, int64_t stride, int64_t rows, int64_t cols, char* acc) const;
  int64_t combine_few_columns(const char* x, int64_t stride, int64_t rows, int64_t cols, int64_t position,
                              Accumulators acc) const;
  void merge_best_rows(const char* x, int64_t stride, int64_t rows, int64_t cols, int64_t position,
                       Accumulators acc) const;
  void merge(int64_t n, const Accumulators& from, Accumulators to) const;
  void reduce_groups(int64_t block, int64_t first, int64_t last, Accumulators acc, Workspace& w) const;
  void finish_block(int64_t block, Accumulators acc, Workspace& w) const;
  void run_whole();
  void run_chunked();
  [[nodiscard]] int64_t step(int32_t dimension) const {
    return dimension < call_.nkept || call_.index_strides == nullptr
               ? 0
               : call_.index_strides[dimension - call_.nkept];
  }

  const ReduceCall& call_;
  const Plan& plan_;
  const ReduceLoops& loops_;
  const ReduceShape shape_;
  const bool index_;
  const int64_t element_;  // bytes of a mapped element
  const int64_t item_;     // bytes of an accumulator
  TileOperands operands_;
};

// Scratch memory of a thread: for tiles, and blocks of results.
struct Reducer::Workspace {
  static int64_t result_bytes(const Reducer& r) {
    return r.shape_.block * std::max<int64_t>(r.item_, 16) + 64;
  }
  static int64_t bytes(const Reducer& r) {
    return TileRunner::scratch_bytes(r.plan_, r.shape_.capacity) + 6 * result_bytes(r) +
           (r.shape_.levels + 1) * group_bytes(r);
  }
  static int64_t group_bytes(const Reducer& r) { return whole_lines(r.shape_.block * r.item_); }
  explicit Workspace(const Reducer& r) : Workspace(r, scratch(bytes(r))) {}
  Workspace(const Reducer& r, char* memory)
      : tiles(r.plan_, r.operands_.data(), r.shape_.capacity, false, memory),
        results(memory + TileRunner::scratch_bytes(r.plan_, r.shape_.capacity)),
        size(result_bytes(r)) {
    for (int64_t level = 0; level <= r.shape_.levels; ++level) {
      groups[level] = {results + 6 * size + level * group_bytes(r), nullptr};
    }
    tiles.keep_gathered();
  }
  [[nodiscard]] char* at(int64_t i) const { return results + i * size; }
  [[nodiscard]] Accumulators accumulators() const { return {at(0), reinterpret_cast<int64_t*>(at(1))}; }
  [[nodiscard]] char* tile_value() const { return at(2); }
  [[nodiscard]] int64_t* tile_position() const { return reinterpret_cast<int64_t*>(at(3)); }
  [[nodiscard]] int32_t* tile_index() const { return reinterpret_cast<int32_t*>(at(4)); }
  [[nodiscard]] char* converted() const { return at(5); }
  TileRunner tiles;
  char* results;
  int64_t size;
  Accumulators groups[ReduceShape::max_levels + 1];  // levels of a tree, and one more
};

Reducer::Reducer(const ReduceCall& call)
    : call_(call),
      plan_(plan_of(*call.map)),
      loops_(loops().reduce[call.reduction->number][static_cast<size_t>(call.acc)]),
      shape_(call, plan_, loops_),
      index_(call.reduction->kind == ReduceKind::INDEX),
      element_(item_size(call.acc)),
      item_(loops_.bytes) {
  if (loops_.identity == nullptr) {
    fail(ARR_E_INTERNAL, "no loop of ", call.reduction->name, " for ", name(call.acc));
  }
  for (int32_t k = 0; k < plan_.inputs; ++k) {
    set_tile_operand(call.operands[k], call.ndim, shape_.row, shape_.col, operands_.data() + k);
  }
}

// Reduces rows that are not contiguous to one accumulator: the results of the rows form a row that is reduced
// again.
void Reducer::combine_rows(const char* x, int64_t stride, int64_t rows, int64_t cols, char* acc) const {
  constexpr int64_t max_rows = 128;
  alignas(16) char results[max_rows * 16];
  for (int64_t i = 0; i < rows; i += max_rows) {
    const int64_t some = std::min(max_rows, rows - i);
    loops_.identity(some, results);
    loops_.each_row(some, cols, x + i * stride, stride, results);
    loops_.row(some, results, acc);
  }
}

// Reduces a tile with few columns and no gaps between rows as one with more columns, by merging rows. Returns
// the number of rows reduced; all columns of a call are reduced in the same way.
int64_t Reducer::combine_few_columns(const char* x, int64_t stride, int64_t rows, int64_t cols,
                                     int64_t position, Accumulators acc) const {
  constexpr int64_t wide_bytes = 1024, value_bytes = 16 * 1024, min_rows = 16;
  if (loops_.ends || shape_.col_tiles > 1 || stride != cols * element_ || 4 * stride > wide_bytes) return 0;
  int64_t times = 1;
  while (2 * times * stride <= wide_bytes && 2 * times * cols * item_ <= value_bytes &&
         2 * times * min_rows <= rows) {
    times *= 2;
  }
  if (times == 1) return 0;
  int64_t n = times * cols;
  const int64_t wide_rows = rows / times;
  alignas(16) char value[value_bytes];
  int64_t positions[wide_bytes];
  if (index_) {
    int32_t indices[wide_bytes];
    const int64_t row_step = shape_.row < 0 ? 0 : step(shape_.row);
    loops_.column_best(wide_rows, n, x, n * element_, row_step < 0, value, indices);
    for (int64_t j = 0; j < n; ++j) positions[j] = position + (indices[j] * times + j / cols) * row_step;
  } else {
    loops_.identity(n, value);
    loops_.column(wide_rows, n, x, n * element_, value);
  }
  for (n /= 2; n >= cols; n /= 2) merge(n, {value + n * item_, positions + n}, {value, positions});
  merge(cols, {value, positions}, acc);
  return wide_rows * times;
}

// Reduces one tile into the accumulators of its block. position: of its first element.
void Reducer::combine_tile(const char* x, int64_t stride, int64_t rows, int64_t cols, int64_t position,
                           Accumulators acc, Workspace& w) const {
  if (shape_.by_columns) {
    const int64_t done = combine_few_columns(x, stride, rows, cols, position, acc);
    x += done * stride;
    rows -= done;
    position += done * (shape_.row < 0 ? 0 : step(shape_.row));
    if (rows == 0) return;
  }
  if (!index_) {
    if (shape_.by_columns) return loops_.column(rows, cols, x, stride, acc.value);
    if (!shape_.rows_kept && stride == cols * element_) return loops_.row(rows * cols, x, acc.value);
    if (!shape_.rows_kept && item_ == element_) return combine_rows(x, stride, rows, cols, acc.value);
    if (shape_.rows_kept) return loops_.each_row(rows, cols, x, stride, acc.value);
    for (int64_t i = 0; i < rows; ++i) loops_.row(cols, x + i * stride, acc.value);
    return;
  }
  if (shape_.by_columns) {
    const Accumulators tile{w.tile_value(), w.tile_position()};
    const int64_t row_step = shape_.row < 0 ? 0 : step(shape_.row);
    loops_.column_best(rows, cols, x, stride, row_step < 0, tile.value, w.tile_index());
    for (int64_t j = 0; j < cols; ++j) tile.position[j] = position + w.tile_index()[j] * row_step;
    return merge(cols, tile, acc);
  }
  merge_best_rows(x, stride, rows, cols, position, acc);
}

// The same for rows of an INDEX reduction.
void Reducer::merge_best_rows(const char* x, int64_t stride, int64_t rows, int64_t cols, int64_t position,
                              Accumulators acc) const {
  constexpr int64_t max_rows = 64;
  alignas(16) char values[max_rows * 16];
  int64_t positions[max_rows];
  int32_t indices[max_rows];
  const int64_t row_step = shape_.row < 0 ? 0 : step(shape_.row);
  const int64_t col_step = shape_.col < 0 ? 0 : step(shape_.col);
  for (int64_t i = 0; i < rows; i += max_rows) {
    const int64_t some = std::min(max_rows, rows - i);
    loops_.best_rows(some, cols, x + i * stride, stride, col_step < 0, values, indices);
    for (int64_t k = 0; k < some; ++k) positions[k] = position + (i + k) * row_step + indices[k] * col_step;
    if (shape_.rows_kept) {
      merge(some, {values, positions}, {acc.value + i * item_, acc.position + i});
      continue;
    }
    for (int64_t k = 0; k < some; ++k) merge(1, {values + k * item_, positions + k}, acc);
  }
}

void Reducer::merge(int64_t n, const Accumulators& from, Accumulators to) const {
  if (index_) {
    loops_.merge(n, from.value, from.position, to.value, to.position);
  } else if (loops_.join != nullptr) {
    loops_.join(n, from.value, to.value);
  } else {
    loops_.column(1, n, from.value, 0, to.value);
  }
}

// Evaluates the map on the tile number `segment` of the block and reduces it.
void Reducer::reduce_segment(int64_t block, int64_t segment, Accumulators acc, Workspace& w) const {
  const ReduceShape& s = shape_;
  int64_t row = 0, col = 0;
  const int64_t in_line = block % s.blocks_per_line;
  if (s.by_columns) {
    col = in_line * s.cols;
    row = segment % s.row_tiles * s.rows;
    segment /= s.row_tiles;
  } else {
    col = segment % s.col_tiles * s.cols;
    segment /= s.col_tiles;
    row = (s.rows_kept ? in_line : segment % s.row_tiles) * s.rows;
    if (!s.rows_kept) segment /= s.row_tiles;
  }
  int64_t position = (s.row < 0 ? 0 : row * step(s.row)) + (s.col < 0 ? 0 : col * step(s.col));
  TileData data;
  data.set(operands_.data(), plan_.inputs, row, col);
  auto move = [&](int32_t d, int64_t steps) {
    position += steps * step(d);
    data.move(call_.operands, plan_.inputs, d, steps);
  };
  s.outer_kept.visit(block / s.blocks_per_line, call_.shape, move);
  s.outer_reduced.visit(segment, call_.shape, move);
  const int64_t rows = std::min(s.rows, s.nrows - row), cols = std::min(s.cols, s.ncols - col);
  if (s.raw) return combine_tile(data.at[0], operands_[0].row, rows, cols, position, acc, w);
  if (s.products) {
    for (int64_t i = 0; i < rows; ++i) {
      loops_.products(cols, data.at[0] + i * operands_[0].row, data.at[1] + i * operands_[1].row,
                      acc.value + (s.rows_kept ? i * item_ : 0));
    }
    return;
  }
  const char* x = w.tiles.evaluate(data.at, rows, cols);
  combine_tile(x, cols * element_, rows, cols, position, acc, w);
}

// Joins groups of segments pairwise. Group number c completes as many pairs as c has trailing one bits.
void Reducer::reduce_groups(int64_t block, int64_t first, int64_t last, Accumulators acc,
                            Workspace& w) const {
  const int64_t n = block_length(block);
  Accumulators *tree = w.groups, &now = w.groups[shape_.levels];
  int64_t count = 0;
  for (int64_t s = first; s < last; ++count) {
    loops_.identity(n, now.value);
    for (const int64_t end = std::min(s + shape_.group, last); s < end; ++s) reduce_segment(block, s, now, w);
    int32_t level = 0;
    for (; (count >> level & 1) != 0; ++level) {
      merge(n, now, tree[level]);
      std::swap(now, tree[level]);
    }
    std::swap(now, tree[level]);
  }
  const Accumulators* sum = nullptr;
  for (int32_t level = 0; count >> level != 0; ++level) {
    if ((count >> level & 1) == 0) continue;
    if (sum != nullptr) merge(n, *sum, tree[level]);
    sum = tree + level;
  }
  merge(n, *sum, acc);
}

void Reducer::reduce_block(int64_t block, int64_t chunk, Accumulators acc, Workspace& w) const {
  const int64_t n = block_length(block);
  if (chunk == 0 && call_.initial.dtype != DType::none) {
    const auto log2 = static_cast<size_t>(__builtin_ctzll(static_cast<uint64_t>(item_)));
    loops().fill[log2](n, &call_.initial.lo, acc.value);
  } else {
    loops_.identity(n, acc.value);
  }
  if (index_) std::fill(acc.position, acc.position + n, std::numeric_limits<int64_t>::max());
  const bool whole = shape_.chunks == 1;
  const int64_t first = whole ? 0 : chunk * shape_.segments / shape_.chunks;
  const int64_t last = whole ? shape_.segments : (chunk + 1) * shape_.segments / shape_.chunks;
  if (last - first > shape_.group) return reduce_groups(block, first, last, acc, w);
  for (int64_t s = first; s < last; ++s) reduce_segment(block, s, acc, w);
}

void Reducer::finish_block(int64_t block, Accumulators acc, Workspace& w) const {
  const int64_t n = block_length(block);
  char* to = static_cast<char*>(call_.output.data);
  int64_t stride = 0;
  if (shape_.kept >= 0) {
    stride = call_.output.strides[shape_.kept];
    to += block % shape_.blocks_per_line * shape_.block * stride;
  }
  int64_t outer = block / shape_.blocks_per_line;
  for (int32_t i = shape_.outer_kept.n; i-- > 0 && outer != 0;) {
    const int32_t d = shape_.outer_kept.dims[i];
    to += outer % call_.shape[d] * call_.output.strides[d];
    outer /= call_.shape[d];
  }
  const DType made = result_type(*call_.reduction, call_.acc);
  const int64_t item = item_size(call_.out);
  const bool in_place = !index_ && made == call_.out && (n == 1 || stride == item);
  char* values = index_ ? reinterpret_cast<char*>(acc.position) : in_place ? to : w.tile_value();
  if (index_) {
    loops_.finish_positions(n, acc.value, acc.position);
  } else {
    loops_.finish(n, acc.value, shape_.reduced, call_.correction, values);
  }
  if (in_place) return;
  if (made != call_.out) {
    const void* from[3] = {values, nullptr, nullptr};
    cast_loop(made, call_.out)(n, from, w.converted());
    values = w.converted();
  }
  const auto log2 = static_cast<size_t>(__builtin_ctzll(static_cast<uint64_t>(item)));
  loops().scatter[log2](1, n, values, to, 0, stride);
}

// Reduces every block of outputs without chunks.
void Reducer::run_whole() {
  // Loops of one simple operation have the same grain as element-wise runs, so that threads keep their cache
  // lines. A search for a bool in a long row reads 50 bytes per nanosecond, and may end at the first.
  int64_t serial = plan_.serial_elements();
  if (index_ && call_.acc == DType::bool_ && shape_.reduced >= 256) {
    serial = 16 * serial_elements;
  } else if (call_.reduction->kind != ReduceKind::VALUE) {
    serial = std::min(serial_elements, serial);
  } else if (shape_.raw || shape_.products) {
    serial = serial_reduced_bytes / plan_.inputs / plan_.widest;
  }
  const int64_t grain = std::max<int64_t>(1, serial / std::max<int64_t>(1, shape_.block * shape_.reduced));
  parallel_ranges(shape_.blocks, grain, [&](int64_t first, int64_t last) {
    Workspace w(*this);
    for (int64_t i = first; i < last; ++i) {
      const int64_t b = shape_.block_in_order(i);
      reduce_block(b, 0, w.accumulators(), w);
      finish_block(b, w.accumulators(), w);
    }
  });
}

// Stores a partial result per chunk and combines them as a tree.
void Reducer::run_chunked() {
  const int64_t all = shape_.chunks * shape_.outputs;
  const PoolBlock values(all * item_), positions(index_ ? all * 8 : 0);
  auto at = [&](int64_t block, int64_t chunk) {
    const int64_t i = chunk * shape_.outputs + first_output(block);
    return Accumulators{values.data() + i * item_,
                        reinterpret_cast<int64_t*>(positions.data()) + (index_ ? i : 0)};
  };
  parallel_ranges(shape_.blocks * shape_.chunks, 1, [&](int64_t first, int64_t last) {
    Workspace w(*this);
    for (int64_t t = first; t < last; ++t) {
      const int64_t block = t / shape_.chunks, chunk = t % shape_.chunks;
      reduce_block(block, chunk, at(block, chunk), w);
    }
  });
  const int64_t grain = std::max<int64_t>(1, serial_elements / (shape_.block * shape_.chunks));
  parallel_ranges(shape_.blocks, grain, [&](int64_t first, int64_t last) {
    Workspace w(*this);
    for (int64_t b = first; b < last; ++b) {
      for (int64_t gap = 1; gap < shape_.chunks; gap *= 2) {
        for (int64_t c = 0; c + gap < shape_.chunks; c += 2 * gap) {
          merge(block_length(b), at(b, c + gap), at(b, c));
        }
      }
      finish_block(b, at(b, 0), w);
    }
  });
}

void Reducer::run() {
  if (shape_.chunks == 1) return run_whole();
  run_chunked();
}

// Sets every output to the reduction of no elements; reads no operand.
void reduce_nothing(const ReduceCall& call) {
  const ReduceLoops& loop = loops().reduce[call.reduction->number][static_cast<size_t>(call.acc)];
  alignas(16) char acc[64];
  Scalar finished, result;
  loop.identity(1, acc);
  if (call.initial.dtype != DType::none) std::memcpy(acc, &call.initial.lo, static_cast<size_t>(loop.bytes));
  loop.finish(1, acc, 0, call.correction, &finished.lo);
  const void* from[3] = {&finished.lo, nullptr, nullptr};
  cast_loop(result_type(*call.reduction, call.acc), call.out)(1, from, &result.lo);
  result.dtype = call.out;
  const Operand operands[2] = {{nullptr, nullptr, result}, call.output};
  elementwise({&single_cast(call.out, call.out), call.nkept, call.shape, operands});
}

// Reduces a few contiguous elements, or their products, to one number, without tiles and scratch memory.
// Returns false, with nothing done, for other calls. The loops are those that Reducer calls, in its order.
bool reduce_few(const ReduceCall& call) {
  constexpr int64_t few = 1024;  // one tile
  if (call.nkept != 0 || call.ndim > 1) return false;
  const Plan& plan = plan_of(*call.map);
  const ReduceLoops& loop = loops().reduce[call.reduction->number][static_cast<size_t>(call.acc)];
  const Operand& in = call.operands[0];
  const int64_t n = call.ndim == 0 ? 1 : call.shape[0];
  const bool products = plan.product && loop.products != nullptr;
  if (n > few || loop.identity == nullptr || !(plan.copy || products)) return false;
  if (!contiguous_columns(call, plan, call.ndim - 1)) return false;
  const auto* x = static_cast<const char*>(in.data);
  alignas(64) char acc[64], row[64];
  int64_t position = std::numeric_limits<int64_t>::max();
  loop.identity(1, acc);
  if (call.initial.dtype != DType::none) std::memcpy(acc, &call.initial.lo, static_cast<size_t>(loop.bytes));
  if (call.reduction->kind == ReduceKind::INDEX) {
    const int64_t step = call.ndim == 0 || call.index_strides == nullptr ? 0 : call.index_strides[0];
    int32_t index = 0;
    loop.best_rows(1, n, x, 0, step < 0, row, &index);
    const int64_t found = index * step;
    loop.merge(1, row, &found, acc, &position);
    loop.finish_positions(1, acc, &position);
    std::memcpy(row, &position, sizeof(position));
  } else {
    if (products) {
      loop.products(n, x, call.operands[1].data, acc);
    } else if (loop.bytes == item_size(call.acc)) {
      loop.identity(1, row);
      loop.each_row(1, n, x, 0, row);
      loop.row(1, row, acc);
    } else {
      loop.row(n, x, acc);
    }
    loop.finish(1, acc, n, call.correction, row);
  }
  const DType made = result_type(*call.reduction, call.acc);
  if (made == call.out) {
    std::memcpy(call.output.data, row, static_cast<size_t>(item_size(made)));
  } else {
    const void* from[3] = {row, nullptr, nullptr};
    cast_loop(made, call.out)(1, from, call.output.data);
  }
  return true;
}

}  // namespace

void reduce(const ReduceCall& call) {
  for (int32_t d = call.nkept; d < call.ndim; ++d) {
    if (call.shape[d] == 0) return reduce_nothing(call);
  }
  if (reduce_few(call)) return;
  Reducer(call).run();
}

bool same_order(const ReduceCall& a, const ReduceCall& b) noexcept {
  try {
    const ReduceLoops& loop = loops().reduce[a.reduction->number][static_cast<size_t>(a.acc)];
    const ReduceShape x(a, plan_of(*a.map), loop), y(b, plan_of(*b.map), loop);
    return a.reduction->kind != ReduceKind::STATE && x.by_columns == y.by_columns && x.line_by_line() &&
           y.line_by_line();
  } catch (...) {
    return false;  // no memory for a plan
  }
}

}  // namespace arr::host
