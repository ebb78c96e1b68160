// SPDX-License-Identifier: MIT
// Runs a plan on a tile: rows x cols elements of two dimensions, small enough that its blocks stay in the
// nearest caches. What is contiguous in the tile is used where it lies; the rest is gathered or scattered.
#pragma once

#include "backend.h"
#include "host/plan.h"

namespace arr::host {

inline constexpr int32_t max_operands = Program::max_inputs + Program::max_outputs;

// An operand as tiles see it.
struct TileOperand {
  char* data = nullptr;      // element (0,..,0) of the call; nullptr: `scalar`
  int64_t row = 0, col = 0;  // bytes
  bool constant = false;     // one element everywhere: filled into its block once
  Scalar scalar;
};

// An operand of a call of `ndim` dimensions, two of which (-1: of extent 1) are the rows and columns of
// tiles.
TileOperand tile_operand(const Operand& from, int32_t ndim, int32_t row, int32_t col);

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
    if (stream_) loops_.drain();
  }

  // data: where each operand's first element of the tile is.
  void run(char* const* data, int64_t rows, int64_t cols);
  // The tile of output 0, contiguous; valid until the next call.
  const char* evaluate(char* const* data, int64_t rows, int64_t cols);
  // After evaluate(): the tile of output k, likewise.
  [[nodiscard]] const char* result(size_t k) const { return registers_[plan_.outputs[k].source]; }

 private:
  static constexpr int32_t max_registers = max_operands + Program::max_nodes;
  [[nodiscard]] bool direct(int32_t k, int64_t rows, int64_t cols) const;
  void find_shadowed();
  void load(char* const* data, int64_t rows, int64_t cols);
  void fetch_next(int64_t n, size_t step) const;
  void compute(int64_t n);
  void store(int32_t k, const char* from, char* to, int64_t rows, int64_t cols) const;
  void copy(char* const* data, int64_t rows, int64_t cols);

  const Plan& plan_;
  const TileOperand* operands_;
  const LoopTable& loops_;
  int64_t block_;  // bytes of a register's block
  bool stream_;
  bool shadowed_[Program::max_inputs] = {};  // an output overwrites it before its last use
  char* memory_;
  char* registers_[max_registers];
};

}  // namespace arr::host
