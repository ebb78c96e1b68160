// SPDX-License-Identifier: MIT
// The choice between the three ways of a reduction: rows, rows of several outputs, columns.
#include "host/reduce/reduce_shape.h"

#include <gtest/gtest.h>

#include <vector>

#include "expr/ops.h"
#include "expr/program.h"

namespace arr::test {
namespace {

struct Case {
  const char* what;
  DType dtype;
  int32_t nkept;
  std::vector<int64_t> shape, strides;  // strides in elements; kept dimensions first
  bool by_columns, rows_kept;
};

host::ReduceShape shape_of(const Case& t, int64_t shortest_row, bool ends_early = false) {
  std::vector<int64_t> strides = t.strides;
  for (int64_t& s : strides) s *= item_size(t.dtype);
  char element[16] = {};
  Operand input;
  input.data = element;
  input.strides = strides.data();
  ReduceCall c;
  c.reduction = reduction_info(1);
  c.map = &single_cast(t.dtype, t.dtype);
  c.acc = c.out = t.dtype;
  c.ndim = static_cast<int32_t>(t.shape.size());
  c.nkept = t.nkept;
  c.shape = t.shape.data();
  c.operands = &input;
  std::vector<int64_t> results(static_cast<size_t>(t.nkept));
  int64_t step = item_size(t.dtype);
  for (size_t d = results.size(); d-- > 0; step *= t.shape[d]) results[d] = step;
  c.output.strides = results.data();
  host::ReduceLoops loops;
  loops.shortest_row = shortest_row;
  loops.ends = ends_early;
  return {c, host::plan_of(*c.map), loops};
}

TEST(ReduceShape, Ways) {
  constexpr DType f = DType::float32_;
  const Case cases[] = {
      {"rows", f, 1, {1000, 100}, {100, 1}, false, true},
      {"rows of the least length", f, 1, {1000, 4}, {4, 1}, false, true},
      {"shorter rows", f, 1, {1000, 3}, {3, 1}, true, false},
      {"few short rows", f, 1, {2, 3}, {3, 1}, false, true},
      {"columns", f, 1, {100, 1000}, {1, 100}, true, false},
      {"few columns", f, 1, {3, 1000}, {1, 3}, true, false},
      {"few columns with gaps between rows", f, 1, {3, 1000}, {1, 5}, false, true},
      {"few columns, the last first", f, 1, {3, 1000}, {-1, 3}, false, true},
      {"few short columns", f, 1, {8, 9}, {1, 8}, true, false},
      {"everything", f, 0, {1000}, {1}, false, false},
      {"nothing", f, 1, {1000}, {1}, true, false},
  };
  for (const Case& t : cases) {
    const host::ReduceShape s = shape_of(t, 4);
    EXPECT_EQ(s.by_columns, t.by_columns) << t.what;
    EXPECT_EQ(s.rows_kept, t.rows_kept) << t.what;
  }
}

// A broadcast operand, so that the kept dimensions are no single one.
TEST(ReduceShape, LinesAreNotShort) {
  constexpr DType d = DType::float64_;
  EXPECT_EQ(shape_of({"few", d, 2, {10000, 8, 2}, {0, 2, 1}, false, false}, 4).kept, 0);
  EXPECT_EQ(shape_of({"enough", d, 2, {10000, 100, 3}, {0, 3, 1}, false, false}, 4).kept, 1);
  EXPECT_EQ(shape_of({"no longer one", d, 2, {20, 8, 2}, {0, 2, 1}, false, false}, 4).kept, 1);
  EXPECT_EQ(shape_of({"long rows", d, 2, {10000, 8, 200}, {0, 200, 1}, false, false}, 4).kept, 1);
}

TEST(ReduceShape, ChunksFromTheBytesThatAreRead) {
  for (const DType d : {DType::float32_, DType::float64_}) {
    const int64_t serial = host::serial_reduced_bytes / item_size(d);
    EXPECT_EQ(shape_of({"", d, 0, {serial - 1}, {1}, false, false}, 4).chunks, 1);
    EXPECT_GE(shape_of({"", d, 0, {serial}, {1}, false, false}, 4).chunks, 2) << name(d);
  }
}

// Down columns each share of the rows would look for a final value again: columns are shared out first.
TEST(ReduceShape, ReductionsThatEndEarlyAreSharedByColumns) {
  const Case t{"", DType::int64_, 1, {512, 4096}, {1, 512}, true, false};
  const host::ReduceShape plain = shape_of(t, 4), early = shape_of(t, 4, true);
  EXPECT_GT(early.blocks, plain.blocks);
  EXPECT_LT(early.chunks, plain.chunks);
  EXPECT_GE(early.cols, 16);
}

TEST(ReduceShape, TilesCoverEveryElement) {
  for (const int64_t n : {1, 2, 3, 4, 16, 63, 64, 65, 4096, 40000}) {
    for (const int64_t rows : {1, 2, 5, 64, 1000, 100000}) {
      for (const bool transposed : {false, true}) {
        const Case t{"",   DType::float64_, 1, {rows, n}, {transposed ? 1 : n, transposed ? rows : 1}, false,
                     false};
        for (const bool ends_early : {false, true}) {
          const host::ReduceShape s = shape_of(t, 4, ends_early);
          EXPECT_EQ(s.outputs * s.reduced, rows * n);
          EXPECT_GE(s.rows * s.row_tiles, s.nrows);
          EXPECT_GE(s.cols * s.col_tiles, s.ncols);
          EXPECT_GE(s.blocks * s.block, rows);
          EXPECT_LE(s.chunks, s.segments);
          EXPECT_LE(s.block, s.by_columns ? s.cols : s.rows);
        }
      }
    }
  }
}

}  // namespace
}  // namespace arr::test
