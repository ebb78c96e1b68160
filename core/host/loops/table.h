// SPDX-License-Identifier: MIT
// The table of inner loops that each instruction-set level fills. Plain data and no standard templates:
// the files that fill it are compiled for several instruction sets, and an inline function shared between
// them could be taken from the wrong one by the linker.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arr::host {

// out[i] = f(in[0][i], ...), all contiguous; out may be one of the inputs.
using LoopFn = void (*)(int64_t n, const void* const* in, void* out);
// Copies between rows x cols elements with any strides (bytes) and a contiguous block.
using GatherFn = void (*)(int64_t rows, int64_t cols, const char* from, int64_t row_stride,
                          int64_t col_stride, void* to);
using ScatterFn = void (*)(int64_t rows, int64_t cols, const void* from, char* to, int64_t row_stride,
                           int64_t col_stride);
using FillFn = void (*)(int64_t n, const void* value, void* out);
// Offsets of a tile: one for all rows or columns if their step is 0, otherwise one for each.
struct Offsets {
  const int64_t* at = nullptr;
  int64_t row = 0, col = 0;  // steps in elements of `at`
  int64_t scale = 1;         // bytes of an offset of 1
  bool near = false;         // all of the memory is in a cache of the core, so nothing is prefetched
};
// to[r][c] = the element at base + r * row_stride + c * col_stride + its offset (bytes); `to` is contiguous
using GatherAtFn = void (*)(int64_t rows, int64_t cols, const char* base, int64_t row_stride,
                            int64_t col_stride, const Offsets& offsets, void* to);

// Elements `step` bytes apart and the prefix sums of their counts: result p is the first element whose sum is
// greater than p, or the last element.
struct Repeats {
  const int64_t* ends = nullptr;
  int64_t extent = 0;
  const char* from = nullptr;
  int64_t step = 0;
};
// Computes results first .. last - 1, the first of which is a copy of `element`; returns the element of the
// next result. Writes up to repeat_slack bytes past them.
using RepeatFn = int64_t (*)(const Repeats& r, int64_t element, int64_t first, int64_t last, void* to);
inline constexpr int64_t repeat_slack = 64;

// One reduction for one accumulated type A. acc: numbers of type A, or structs for STATE reductions. Only
// INDEX reductions have positions (pos).
struct ReduceLoops {
  int64_t bytes = 0;         // bytes of the accumulator of one output
  int64_t shortest_row = 0;  // rows of fewer elements are faster as columns
  bool ends = false;         // VALUE: there may be a final value, after which no element is read
  void (*identity)(int64_t n, void* acc) = nullptr;
  // VALUE, STATE: the results of `count` elements each, in the type of result_type(); `out` may be acc for
  // VALUE
  void (*finish)(int64_t n, const void* acc, int64_t count, double correction, void* out) = nullptr;
  // VALUE, STATE: acc[0] = combine(acc[0], x[0..n))
  void (*row)(int64_t n, const void* x, void* acc) = nullptr;
  // Sums of float32 and float64: acc[0] += x[0] y[0] + x[1] y[1] + ... up to n
  void (*products)(int64_t n, const void* x, const void* y, void* acc) = nullptr;
  // VALUE, STATE: acc[i] = combine(acc[i], x[i][0..n)) for each of `rows` rows, `stride` bytes apart
  void (*each_row)(int64_t rows, int64_t n, const char* x, int64_t stride, void* acc) = nullptr;
  // VALUE, STATE: acc[j] = combine(acc[j], x[i][j]) for each of `rows` rows, `stride` bytes apart
  void (*column)(int64_t rows, int64_t cols, const char* x, int64_t stride, void* acc) = nullptr;
  // STATE: to[j] = join(to[j], from[j])
  void (*join)(int64_t n, const void* from, void* to) = nullptr;
  // INDEX: the best of each of `rows` rows, `stride` bytes apart, and its position, the first (or last) of
  // equals; n below 2^31
  void (*best_rows)(int64_t rows, int64_t n, const char* x, int64_t stride, bool last, void* value,
                    int32_t* index) = nullptr;
  // INDEX: sets acc and `index` to the best of each column and its row number, the first (or last) of equals
  void (*column_best)(int64_t rows, int64_t cols, const char* x, int64_t stride, bool last, void* acc,
                      int32_t* index) = nullptr;
  // INDEX: replaces (acc[j], pos[j]) by (x[j], xpos[j]) if that is better, or as good with a smaller position
  void (*merge)(int64_t n, const void* x, const int64_t* xpos, void* acc, int64_t* pos) = nullptr;
  // INDEX: the positions to report for the best ones
  void (*finish_positions)(int64_t n, const void* acc, int64_t* pos) = nullptr;
};

// A block of a long row is scanned in lanes, each from its own start, so that their chains of dependent
// operations overlap. Then each lane is combined with the total of the lanes before it.
inline constexpr int64_t scan_lanes = 8;
inline __attribute__((always_inline)) constexpr int64_t scan_lane(int64_t n) {
  return n < 8 * scan_lanes ? n : (n + scan_lanes - 1) / scan_lanes;
}

// Scans by one VALUE reduction without a finish for one accumulated type. y may be x.
struct ScanLoops {
  // Scans `rows` rows of n elements, xs and ys bytes apart, each from its first element.
  void (*rows)(int64_t rows, int64_t n, const char* x, int64_t xs, char* y, int64_t ys) = nullptr;
  // Scans the lanes of a row. state: 1 + scan_lanes elements: the total before each lane, then the total of
  // the row.
  void (*local)(int64_t n, const void* x, void* y, void* state) = nullptr;
  // to[i] = combine(carry, combine(state of i's lane, y[i])) for i = begin .. end - 1 of n; carry is nullptr
  // for the first block of a row
  void (*apply)(int64_t n, int64_t begin, int64_t end, const void* y, const void* state, const void* carry,
                void* to) = nullptr;
  // acc[j] = y[i][j] = combine(acc[j], x[i][j]) row by row; fresh: acc starts from the first row
  void (*column)(int64_t rows, int64_t cols, const char* x, int64_t xs, void* acc, bool fresh, char* y,
                 int64_t ys) = nullptr;
  // y[i][j] = combine(carry[j], y[i][j])
  void (*shift)(int64_t rows, int64_t cols, const void* carry, char* y, int64_t ys) = nullptr;
};

// element at target + offsets[i] = op(that element, values[i]), in the order of i.
using CombineFn = void (*)(int64_t n, const int64_t* offsets, const void* values, char* target);

// c[m][n] += a[m][k] * b[k][n], row-major, for types without BLAS; the OR of ANDs for bool.
using GemmFn = void (*)(int64_t m, int64_t n, int64_t k, const void* a, int64_t lda, const void* b,
                        int64_t ldb, void* c, int64_t ldc);

struct LoopTable {
  static constexpr int ops = 512, dtypes = 16, reductions = 64;
  const char* level = nullptr;
  LoopFn op[ops][dtypes] = {};
  LoopFn cast[dtypes][dtypes] = {};  // [from][to]
  ReduceLoops reduce[reductions][dtypes] = {};
  ScanLoops scan[reductions][dtypes] = {};
  CombineFn combine[ops][dtypes] = {};  // for the ops of reductions, and subtract
  GemmFn gemm[dtypes] = {};
  // Indexed by log2 of the item size: 1, 2, 4, 8, 16 bytes.
  GatherFn gather[5] = {};
  ScatterFn scatter[5] = {};
  FillFn fill[5] = {};
  GatherAtFn gather_at[5] = {};
  RepeatFn repeat[5] = {};
  // to[r][c] = first + r * row + c * col
  void (*ramp)(int64_t rows, int64_t cols, int64_t first, int64_t row, int64_t col, void* to) = nullptr;
  void (*copy_nontemporal)(int64_t bytes, const void* from,
                           void* to) = nullptr;  // copy with non-temporal stores
  void (*fence_nontemporal)() = nullptr;  // waits until non-temporal stores are in memory; call it once after
                                          // many, because it takes long
};

// The functions by which the files of a level fill the table, named after the files.
#define ARR_LEVEL_FILLERS(LEVEL)           \
  namespace LEVEL {                        \
  void fill_copies(LoopTable& t);          \
  void fill_casts_int(LoopTable& t);       \
  void fill_casts_real(LoopTable& t);      \
  void fill_int_small(LoopTable& t);       \
  void fill_int_large(LoopTable& t);       \
  void fill_real(LoopTable& t);            \
  void fill_complex(LoopTable& t);         \
  void fill_reduce_int(LoopTable& t);      \
  void fill_reduce_real(LoopTable& t);     \
  void fill_reduce_complex(LoopTable& t);  \
  void fill_scan_int(LoopTable& t);        \
  void fill_scan_real(LoopTable& t);       \
  void fill_scan_complex(LoopTable& t);    \
  void fill_repeats(LoopTable& t);         \
  void fill_scatter_real(LoopTable& t);    \
  void fill_scatter_complex(LoopTable& t); \
  void fill_gemm(LoopTable& t);            \
  void fill_random(LoopTable& t);          \
  void fill_rejection(LoopTable& t);       \
  }

// The table of the level in use, chosen once: the best level of the CPU, or a lower one set by ARR_ISA.
const LoopTable& loops();

}  // namespace arr::host
