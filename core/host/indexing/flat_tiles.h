// SPDX-License-Identifier: MIT
// A program over consecutive elements of a shape in row-major order, whatever the strides of its operands.
#pragma once

#include <algorithm>

#include "host/elementwise/tile.h"

namespace arr::host {

// A shape whose elements are numbered in row-major order.
struct FlatShape {
  FlatShape(int32_t ndim, const int64_t* extents);
  // Splits n elements from number `first` on into blocks of whole rows and parts of rows, in order: f(index
  // of the outer dimensions, row, rows, column, columns).
  template <class F>
  void blocks(int64_t first, int64_t n, F&& f) const {
    while (n > 0) {
      const int64_t col = first % cols, line = first / cols;
      int64_t height = 1, width = std::min(cols - col, n);
      if (col == 0 && n >= cols) height = std::min(rows - line % rows, n / cols);
      f(line / rows, line % rows, height, col, width);
      first += height * width;
      n -= height * width;
    }
  }
  [[nodiscard]] bool one_row() const { return cols == size; }

  const int64_t* shape;
  int32_t row_dimension, col_dimension;  // the last two dimensions; -1: extent 1
  int64_t rows = 1, cols = 1, size = 1;
  OuterDimensions outer;
};

// The state of a program's run that threads share.
struct FlatProgram {
  FlatProgram(const Program& program, const FlatShape& over, int32_t ndim, const Operand* call_operands,
              int64_t max_elements);
  const Plan& plan;
  const FlatShape& shape;
  const Operand* operands;
  int64_t capacity;  // elements of a tile
  TileOperands tile;
};

// One thread's run.
class FlatTiles {
 public:
  static int64_t scratch_bytes(const FlatProgram& p);
  // memory: scratch_bytes(), aligned to 64.
  FlatTiles(const FlatProgram& p, char* memory);
  // Computes n elements from number `first` on, at most `capacity`.
  void run(int64_t first, int64_t n);
  // Output k of the last run, contiguous and valid until the next run.
  [[nodiscard]] const char* result(size_t k) const { return results_[k]; }

 private:
  static int64_t block_bytes(const FlatProgram& p) {
    return p.shape.one_row() ? 0 : whole_lines(p.capacity * p.plan.widest);
  }
  [[nodiscard]] int64_t item(size_t k) const {
    return program_.plan.item[static_cast<size_t>(program_.plan.inputs) + k];
  }
  const FlatProgram& program_;
  TileRunner tiles_;
  char* joined_;  // outputs of several blocks, contiguous
  const char* results_[Program::max_outputs] = {};
};

}  // namespace arr::host
