// SPDX-License-Identifier: MIT
// Combines values into indexed elements (ufunc.at). The map runs tile by tile, and each tile's values are
// combined in order. If many integers go to a small target, each thread combines into its own copy of the
// target, and the copies are combined at the end; for integers the order does not matter. If no index is
// repeated, threads share the elements.
#include <algorithm>

#include "backend/indexing.h"
#include "expr/op_numbers.h"
#include "host/device/pool_block.h"
#include "host/elementwise/parallel.h"
#include "host/elementwise/tile.h"
#include "host/indexing/calls.h"

namespace arr::host {

namespace {

// Properties of a combining program, found once per call.
struct Combine {
  explicit Combine(const Program& p);
  const Plan& plan;
  int64_t item;                // size of an element of the target
  CombineFn loop = nullptr;    // loop, if the program is one op in the target's dtype
  const OpInfo* op = nullptr;  // that op
  Scalar identity;        // the op's identity if the order of elements does not matter; else without a dtype
  LoopFn join = nullptr;  // combines two targets element by element
};

// Writes values without combining them.
template <int64_t Bytes>
void store(int64_t n, const int64_t* offsets, const void* values, char* target) {
  const auto* from = static_cast<const char*>(values);
  for (int64_t i = 0; i < n; ++i) {
    std::copy_n(from + i * Bytes, Bytes, target + offsets[i]);
  }
}
CombineFn store_loop(int64_t item) {
  switch (item) {
    case 1:
      return store<1>;
    case 2:
      return store<2>;
    case 4:
      return store<4>;
    case 8:
      return store<8>;
    default:
      return store<16>;
  }
}

Combine::Combine(const Program& p) : plan(plan_of(p)), item(item_size(p.inputs[0])), op(op_info(only_op(p))) {
  if (plan.steps.empty() && plan.outputs[0].source == 1) loop = store_loop(item);
  if (op == nullptr) return;
  const DType d = p.inputs[0];
  const auto column = static_cast<size_t>(d);
  loop = loops().combine[op->number][column];
  const bool exact = is_integer_or_bool(d);
  const bool subtracts = op->number == op::subtract;
  const OpInfo& by = subtracts ? *op_info(op::add) : *op;
  const ReductionInfo* r = reducer_of(by);
  // Uses the row function of the scan, because that of the reduction changes a single element.
  if (loop == nullptr || !exact || r == nullptr || r != accumulator_of(by)) return;
  identity = convert(reduce_identity(*r, resolve(*r, d).acc), d);
  join = loops().op[by.number][column];
}

class Scatterer {
 public:
  explicit Scatterer(const ScatterCall& call);
  void run();

 private:
  struct Workspace;  // memory of one thread
  struct Tile {
    int64_t rows = 0, cols = 0;
    TileData data;
    char* target = nullptr;
  };
  [[nodiscard]] Tile locate(int64_t index, char* target) const;
  void run(int64_t first, int64_t last, char* target) const;
  void tile(const Tile& t, Workspace& w) const;
  void rows(const Tile& t, const int64_t* offsets, Workspace& w) const;
  void elements(const Tile& t, const int64_t* offsets, Workspace& w) const;
  void combine(char* at, int64_t element, int64_t n, Workspace& w) const;
  [[nodiscard]] bool row_is_one_element() const;
  void run_copies(int64_t copies);

  const ScatterCall& call_;
  const Plan& map_;
  const Combine combine_;
  int64_t capacity_ = 4096;
  TileOperands operands_;
  int64_t row_ = 0, col_ = 0;      // bytes of the target
  int64_t nrows_ = 1, ncols_ = 1;  // extents of the last two dimensions
  int64_t tile_rows_ = 1, tile_cols_ = 1, row_tiles_ = 1, col_tiles_ = 1, tiles_ = 1;
  OuterDimensions outer_;
  bool whole_rows_ = false;  // a row has one offset, and its elements are contiguous in the target
};

// Scratch memory of a thread: for the map, for offsets, and for the combining program.
struct Scatterer::Workspace {
  static int64_t block(const Scatterer& s) {
    return whole_lines((s.whole_rows_ ? s.tile_cols_ : 1) * s.combine_.plan.widest) + 64;
  }
  static int64_t map_bytes(const Scatterer& s) {
    return whole_lines(TileRunner::scratch_bytes(s.map_, s.capacity_));
  }
  static int64_t bytes(const Scatterer& s) {
    const Plan& p = s.combine_.plan;
    return map_bytes(s) + whole_lines(s.capacity_ * 8) + block(s) * (1 + p.temporaries);
  }
  explicit Workspace(const Scatterer& s) : Workspace(s, scratch(bytes(s))) {}
  Workspace(const Scatterer& s, char* memory)
      : tiles(s.map_, s.operands_.data(), s.capacity_, false, memory),
        offsets(reinterpret_cast<int64_t*>(memory + map_bytes(s))) {
    char* at = memory + map_bytes(s) + whole_lines(s.capacity_ * 8);
    const Plan& p = s.combine_.plan;
    for (int32_t r = p.inputs; r < p.operands + p.temporaries; ++r, at += block(s)) registers[r] = at;
  }
  TileRunner tiles;
  int64_t* offsets;
  const char* values[Program::max_outputs] = {};
  char* registers[max_operands + Program::max_nodes];  // registers of the combining program
};

Scatterer::Scatterer(const ScatterCall& call)
    : call_(call), map_(plan_of(*call.map)), combine_(*call.combine) {
  const int64_t blocks = map_.operands + map_.temporaries;
  while (capacity_ > 512 && capacity_ * map_.widest * blocks > 24 * 1024) capacity_ /= 2;
  int64_t size = 1;
  for (int32_t d = 0; d < call.ndim; ++d) size *= call.shape[d];
  capacity_ = std::min(capacity_, size);  // the length of a scalar's block
  const int32_t row = call.ndim - 2, col = call.ndim - 1;
  if (col >= 0) {
    ncols_ = call.shape[col];
    col_ = call.target.strides[col];
  }
  if (row >= 0) {
    nrows_ = call.shape[row];
    row_ = call.target.strides[row];
  }
  // A tile of several rows has whole rows, because the order is row by row.
  tile_cols_ = std::min(ncols_, capacity_);
  if (tile_cols_ == ncols_) tile_rows_ = std::min(nrows_, capacity_ / tile_cols_);
  row_tiles_ = checked::ceil_div(nrows_, tile_rows_);
  col_tiles_ = checked::ceil_div(ncols_, tile_cols_);
  for (int32_t d = 0; d < row; ++d) outer_.add(d, call.shape[d]);
  for (int32_t k = 0; k < map_.inputs; ++k) {
    set_tile_operand(call.operands[k], call.ndim, row, col, operands_.data() + k);
  }
  tiles_ = row_tiles_ * col_tiles_ * outer_.total;
  whole_rows_ = row_is_one_element();
}

// True if no input on which the offset depends changes along the last dimension.
bool Scatterer::row_is_one_element() const {
  if (ncols_ < 8 || col_ != combine_.item) return false;
  const Program& p = *call_.map;
  bool needed[Program::max_nodes] = {};
  needed[p.outputs[0]] = true;
  for (int32_t i = p.outputs[0]; i >= 0; --i) {
    if (!needed[i]) continue;
    const Node& n = p.nodes[static_cast<size_t>(i)];
    if (n.kind == Node::Kind::input) {
      const TileOperand& o = operands_[static_cast<size_t>(n.args[0])];
      if (o.data != nullptr && o.col != 0) return false;
      continue;
    }
    for (int32_t a : n.args) {
      if (a >= 0) needed[a] = true;
    }
  }
  return true;
}

Scatterer::Tile Scatterer::locate(int64_t index, char* target) const {
  const int64_t col = index % col_tiles_ * tile_cols_, row = index / col_tiles_ % row_tiles_ * tile_rows_;
  Tile t;
  t.rows = std::min(tile_rows_, nrows_ - row);
  t.cols = std::min(tile_cols_, ncols_ - col);
  t.data.set(operands_.data(), map_.inputs, row, col);
  t.target = target + row * row_ + col * col_;
  outer_.visit(index / col_tiles_ / row_tiles_, call_.shape, [&](int32_t d, int64_t steps) {
    t.target += steps * call_.target.strides[d];
    t.data.move(call_.operands, map_.inputs, d, steps);
  });
  return t;
}

// Combines n of the tile's values, from `element` on, into elements of the target from `at` on.
void Scatterer::combine(char* at, int64_t element, int64_t n, Workspace& w) const {
  const Plan& p = combine_.plan;
  char** r = w.registers;
  r[0] = at;
  for (int16_t k = 1; k < p.inputs; ++k) {
    // Only read: results have other registers.
    r[k] = const_cast<char*>(w.values[k - 1]) + element * p.item[static_cast<size_t>(k)];
  }
  char* const own = r[p.inputs];
  if (p.single) r[p.inputs] = at;
  for (const Plan::Step& s : p.steps) {
    const void* in[3] = {r[s.in[0]], r[s.in[1]], r[s.in[2]]};
    s.loop(n, in, r[s.out]);
  }
  const char* from = r[p.outputs[0].source];
  if (from != at) std::copy_n(from, n * combine_.item, at);
  r[p.inputs] = own;
}

void Scatterer::rows(const Tile& t, const int64_t* offsets, Workspace& w) const {
  for (int64_t r = 0; r < t.rows; ++r) {
    combine(t.target + offsets[r * t.cols] + r * row_, r * t.cols, t.cols, w);
  }
}

void Scatterer::elements(const Tile& t, const int64_t* offsets, Workspace& w) const {
  const int64_t n = t.rows * t.cols;
  if (combine_.loop != nullptr) return combine_.loop(n, offsets, w.values[0], t.target);
  for (int64_t i = 0; i < n; ++i) combine(t.target + offsets[i], i, 1, w);
}

void Scatterer::tile(const Tile& t, Workspace& w) const {
  const auto* offsets = reinterpret_cast<const int64_t*>(w.tiles.evaluate(t.data.at, t.rows, t.cols));
  for (size_t k = 1; k < map_.outputs.size(); ++k) w.values[k - 1] = w.tiles.result(k);
  if (whole_rows_) return rows(t, offsets, w);
  if (row_ != 0 || col_ != 0) {
    for (int64_t r = 0; r < t.rows; ++r) {
      const int64_t *from = offsets + r * t.cols, along = r * row_;
      int64_t* to = w.offsets + r * t.cols;
      for (int64_t c = 0; c < t.cols; ++c) to[c] = from[c] + along + c * col_;
    }
    offsets = w.offsets;
  }
  elements(t, offsets, w);
}

void Scatterer::run(int64_t first, int64_t last, char* target) const {
  Workspace w(*this);
  for (int64_t i = first; i < last; ++i) tile(locate(i, target), w);
}

// Combines the tiles in parts. Each part except the first has a copy of the target, filled with the identity.
void Scatterer::run_copies(int64_t copies) {
  char* const target = static_cast<char*>(call_.target.data);
  const int64_t bytes = call_.dense * combine_.item;
  const PoolBlock block(bytes * (copies - 1));
  const auto log2 = static_cast<size_t>(__builtin_ctzll(static_cast<uint64_t>(combine_.item)));
  auto copy = [&](int64_t k) { return k == 0 ? target : block.data() + (k - 1) * bytes; };
  parallel_ranges(copies, 1, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) {
      if (k > 0) loops().fill[log2](call_.dense, &combine_.identity.lo, copy(k));
      run(tiles_ * k / copies, tiles_ * (k + 1) / copies, copy(k));
    }
  });
  for (int64_t k = 1; k < copies; ++k) {
    const void* in[3] = {target, copy(k), nullptr};
    combine_.join(call_.dense, in, target);
  }
}

void Scatterer::run() {
  const int64_t size = tiles_ * tile_rows_ * tile_cols_;  // approximately
  if (combine_.join != nullptr && call_.dense > 0) {
    // A copy costs two passes over the target and a thread, which its share of the elements must justify.
    const int64_t worth = std::min(size / serial_elements, size / (4 * call_.dense));
    const int64_t copies = std::min<int64_t>({concurrency(), worth, tiles_});
    if (copies > 1) return run_copies(copies);
  }
  char* const target = static_cast<char*>(call_.target.data);
  if (!call_.distinct) return run(0, tiles_, target);
  parallel_ranges(tiles_, checked::ceil_div(serial_elements, tile_rows_ * tile_cols_),
                  [&](int64_t first, int64_t last) { run(first, last, target); });
}

}  // namespace

void scatter(const ScatterCall& call) { Scatterer(call).run(); }

}  // namespace arr::host
