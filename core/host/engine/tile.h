// SPDX-License-Identifier: MIT
// Runs a plan on a tile: rows x cols elements of two dimensions, small enough that its blocks stay in the
// nearest caches. What is contiguous in the tile is used where it lies; the rest is gathered or scattered.
#pragma once

#include "array/layout.h"
#include "backend/elementwise.h"
#include "base/checked.h"
#include "host/engine/program_plan.h"

namespace arr::host {

inline constexpr int32_t max_operands = Program::max_inputs + Program::max_outputs;

// From this size on results are written past the caches: they would not stay there anyway.
inline constexpr int64_t stream_bytes = int64_t{8} << 20;

// An operand as tiles see it.
struct TileOperand {
  char* data = nullptr;      // element (0,..,0) of the call; nullptr: `scalar`
  int64_t row = 0, col = 0;  // bytes
  bool constant = false;     // one element everywhere: filled into its block once
  bool ramp = false;         // addresses instead of memory
  Scalar scalar;
};

// An operand of a call of `ndim` dimensions, two of which (-1: of extent 1) are the rows and columns of
// tiles.
TileOperand tile_operand(const Operand& from, int32_t ndim, int32_t row, int32_t col);

// The dimensions of a call that are counted instead of cut into tiles, slowest first.
struct Counted {
  int32_t n = 0;
  int32_t dims[max_ndim];
  int64_t total = 1;
  void add(int32_t d, int64_t extent) {
    dims[n++] = d;
    total *= extent;
  }
  // The index's position along each: move(dimension, position), but where it is 0.
  template <class Move>
  void place(int64_t index, const int64_t* shape, Move&& move) const {
    for (int32_t i = n; i-- > 0 && index != 0;) {
      const int64_t extent = shape[dims[i]];
      move(dims[i], index % extent);
      index /= extent;
    }
  }
};

// Where each operand's first element of a tile is; nullptr: a scalar.
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

// Bytes in whole lines of the caches.
constexpr int64_t whole_lines(int64_t bytes) { return checked::ceil_div(bytes, 64) * 64; }

// Memory of the calling thread, kept between calls; valid until the thread asks again.
char* scratch(int64_t bytes);

class TileRunner {
 public:
  // `capacity`: most elements of a tile. `stream`: results are written past the caches. memory: of
  // scratch_bytes(), aligned to 64. Outputs without data are left in a register (see evaluate).
  TileRunner(const Plan& plan, const TileOperand* operands, int64_t capacity, bool stream, char* memory);
  static int64_t scratch_bytes(const Plan& plan, int64_t capacity);
  TileRunner(const TileRunner&) = delete;
  TileRunner& operator=(const TileRunner&) = delete;
  ~TileRunner() {
    if (stream_) loops_.fence_nontemporal();
  }

  // data: where each operand's first element of the tile is.
  void run(char* const* data, int64_t rows, int64_t cols);
  // n elements of a row, along which operands lie side by side or are one element, a tile of `capacity` after
  // the other; needs `stream`.
  void run_row(char* const* data, int64_t n);
  // The tile of output 0, contiguous; valid until the next call.
  const char* evaluate(char* const* data, int64_t rows, int64_t cols);
  // After evaluate(): the tile of output k, likewise.
  [[nodiscard]] const char* result(size_t k) const { return registers_[plan_.outputs[k].source]; }

 private:
  static constexpr int32_t max_registers = max_operands + Program::max_nodes;
  [[nodiscard]] bool direct(int32_t k, int64_t rows, int64_t cols) const;
  void fill_constants();
  void fill(int32_t k, int64_t n, char* to) const;
  void find_shadowed();
  void load(char* const* data, int64_t rows, int64_t cols);
  void compute(int64_t n) const;
  void store(int32_t k, const char* from, char* to, int64_t rows, int64_t cols) const;
  void copy(char* const* data, int64_t rows, int64_t cols);

  const Plan& plan_;
  const TileOperand* operands_;
  const LoopTable& loops_;
  int64_t capacity_;  // elements of a block
  int64_t block_;     // bytes of it
  bool stream_;
  bool filled_ = false;                      // the constants' blocks
  bool shadowed_[Program::max_inputs] = {};  // an output overwrites it before its last use
  char* memory_;
  char* registers_[max_registers];
};

}  // namespace arr::host
