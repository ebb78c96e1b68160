// SPDX-License-Identifier: MIT
// Runs a plan on a tile: rows x cols elements of two dimensions, few enough for its blocks to stay in the
// first caches. Operands that are contiguous in the tile are used in place; others are gathered or scattered.
#pragma once

#include <algorithm>

#include "array/layout.h"
#include "backend/elementwise.h"
#include "base/checked.h"
#include "base/uncleared_array.h"
#include "host/elementwise/program_plan.h"

namespace arr::host {

inline constexpr int32_t max_operands = Program::max_inputs + Program::max_outputs;

// Results of at least this size are written with non-temporal stores, because the caches cannot hold them.
inline constexpr int64_t stream_bytes = int64_t{8} << 20;

// An operand of a tile.
struct TileOperand {
  char* data = nullptr;      // element (0, .., 0) of the call; if nullptr, `scalar` is used
  int64_t row = 0, col = 0;  // strides in bytes
  bool constant = false;     // one element for all tiles: its block is filled once
  bool ramp = false;         // an arithmetic sequence, computed instead of loaded
  Scalar scalar;
};

using TileOperands = UnclearedArray<TileOperand, max_operands>;

// The operand of a call with `ndim` dimensions. `row` and `col` are the dimensions that become the rows and
// columns of tiles; -1 stands for a dimension of extent 1. It is made in place, because a copy waits for the
// stores of its fields.
void set_tile_operand(const Operand& from, int32_t ndim, int32_t row, int32_t col, TileOperand* to);

// The dimensions of a call that are not split into tiles, slowest first; their indices are numbered.
struct OuterDimensions {
  int32_t n = 0;
  int32_t dims[max_ndim];
  int64_t total = 1;
  void add(int32_t d, int64_t extent) {
    dims[n++] = d;
    total *= extent;
  }
  // Calls move(dimension, steps) for each dimension in which the coordinate of the index is not 0.
  template <class Move>
  void visit(int64_t index, const int64_t* shape, Move&& move) const {
    for (int32_t i = n; i-- > 0 && index != 0;) {
      const int64_t extent = shape[dims[i]];
      move(dims[i], index % extent);
      index /= extent;
    }
  }
};

// The address of each operand's first element in a tile; nullptr for a scalar.
struct TileData {
  char* at[max_operands];
  void set(const TileOperand* operands, int32_t n, int64_t row, int64_t col) {
    for (int32_t k = 0; k < n; ++k) {
      const TileOperand& o = operands[k];
      at[k] = o.data == nullptr ? nullptr : o.data + row * o.row + col * o.col;
    }
  }
  void move(const Operand* call, int32_t n, int32_t dimension, int64_t steps) {
    for (int32_t k = 0; k < n; ++k) {
      if (at[k] != nullptr) at[k] += steps * call[k].strides[dimension];
    }
  }
};

// Bytes rounded up to whole cache lines.
constexpr int64_t whole_lines(int64_t bytes) { return checked::ceil_div(bytes, 64) * 64; }

// Scratch memory of the calling thread, kept between calls; valid until the thread's next call.
char* scratch(int64_t bytes);

class TileRunner {
 public:
  // `capacity`: the max number of elements of a tile. `stream`: results are written with non-temporal stores.
  // `memory`: scratch_bytes() bytes, aligned to 64. Outputs without data stay in a register (see evaluate).
  TileRunner(const Plan& plan, const TileOperand* operands, int64_t capacity, bool stream, char* memory);
  static int64_t scratch_bytes(const Plan& plan, int64_t capacity);
  TileRunner(const TileRunner&) = delete;
  TileRunner& operator=(const TileRunner&) = delete;
  ~TileRunner() {
    if (stream_) loops_.fence_nontemporal();
  }

  // data: the address of each operand's first element in the tile.
  void run(char* const* data, int64_t rows, int64_t cols);
  // Runs row by row: operands that are contiguous along rows, but not from row to row, are used in place.
  void run_each_row(char* const* data, int64_t rows, int64_t cols);
  // Runs n elements of a row in tiles of `capacity`. Along the row every operand is contiguous or one
  // element. Requires `stream`.
  void run_row(char* const* data, int64_t n);
  // Keeps gathered elements for the next tile if an input is the same in both, such as the broadcast inputs
  // of reductions. Only for calls during which no input's memory is written.
  void keep_gathered() {
    keep_ = true;
    std::fill_n(gathered_.data(), plan_.inputs, Gathered{nullptr, 0, 0});
  }
  // Returns the tile of output 0, contiguous and valid until the next call.
  const char* evaluate(char* const* data, int64_t rows, int64_t cols);
  // Returns the tile of output k, contiguous and valid until the next call; after evaluate().
  [[nodiscard]] const char* result(size_t k) const { return registers_[plan_.outputs[k].source]; }

 private:
  static constexpr int32_t max_registers = max_operands + Program::max_nodes;
  [[nodiscard]] bool direct(int32_t k, int64_t rows, int64_t cols) const;
  [[nodiscard]] bool is_number(int32_t k) const { return operands_[k].data == nullptr; }
  void fill_constants();
  void fill(int32_t k, int64_t n, char* to) const;
  void find_shadowed();
  void load(char* const* data, int64_t rows, int64_t cols);
  void load_one(int32_t k, char* const* data, int64_t rows, int64_t cols);
  [[nodiscard]] bool gathered(int32_t k, const char* data, int64_t rows, int64_t cols);
  void compute(int64_t n) const;
  void compute_gathers(char* const* data, int64_t rows, int64_t cols) const;
  void gather_at(const Plan::Step& s, char* const* data, int64_t rows, int64_t cols) const;
  void store(int32_t k, const char* from, char* to, int64_t rows, int64_t cols) const;
  void copy(char* const* data, int64_t rows, int64_t cols);

  const Plan& plan_;
  const TileOperand* operands_;
  const LoopTable& loops_;
  int64_t capacity_;  // elements of a block
  int64_t block_;     // bytes of a block
  bool stream_;
  bool filled_ = false;  // the blocks of constants are filled
  bool row_offsets_ = false,
       col_offsets_ = false;  // offsets of loads differ from row to row, or from column to column
  bool shadowed_[Program::max_inputs] = {};  // an output overwrites it before its last use
  bool keep_ = false;
  struct Gathered {  // the address and size of the elements in an input's block
    const char* data;
    int64_t rows, cols;
  };
  UnclearedArray<Gathered, Program::max_inputs> gathered_;  // if keep_
  char* memory_;
  char* registers_[max_registers];
};

}  // namespace arr::host
