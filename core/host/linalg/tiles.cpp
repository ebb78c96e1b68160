// SPDX-License-Identifier: MIT
// Cuts products into tiles. The numbers were measured with OpenBLAS 0.3.21 on two cores with AVX-512 and with
// AVX2.
#include "host/linalg/tiles.h"

#include <algorithm>

#include "host/elementwise/parallel.h"

namespace arr::host {

namespace {

// Multiply-adds that are worth a thread, those of a tile that takes so long that others should be able to
// take their share of a thread that the system has stopped, and the most that the kernels for small matrices
// take.
constexpr int64_t split_work = int64_t{1} << 18, long_work = int64_t{1} << 34, small_work = 100 * 100 * 100;

int64_t round_up(int64_t n, int64_t unit) { return Tiles::parts(n, unit) * unit; }

}  // namespace

int64_t part_of(int64_t extent, int64_t count) {
  return std::min(extent, round_up(Tiles::parts(extent, count), 16));
}

// BLAS copies the rows of a and the columns of b for each tile, so there are as few tiles as possible; a row
// costs as much as 112 elements of the result, a column as 32.
Tiles equal_tiles(const ProductShape& s) {
  const int64_t threads = concurrency(), work = s.rows * s.cols * s.k;
  const int64_t each = std::clamp<int64_t>(work / (threads * long_work), 1, 4);
  const int64_t count = std::min(each * threads, work / split_work);
  Tiles best{s.rows, s.cols};
  int64_t least = INT64_MAX;
  for (int64_t across = 1; across <= count; ++across) {
    const Tiles t{Tiles::parts(s.rows, count / across), part_of(s.cols, across)};
    const int64_t time = t.rows * t.cols + 112 * t.rows + 32 * t.cols;
    if (time >= least) continue;
    least = time;
    best = t;
  }
  return best;
}

Tiles square_tiles(const ProductShape& s) {
  int64_t side = s.rows;
  const auto count = [&] { return Tiles::parts(s.rows, side) * Tiles::parts(s.rows, side); };
  while (count() < 4 * concurrency() && side * side * s.k >= 4 * split_work && side > 32) {
    side = round_up(side / 2, 32);
  }
  return {side, side};
}

bool small_tiles_pay(const ProductShape& s) {
  constexpr int64_t short_k = 64, thin = int64_t{1} << 14, whole = int64_t{1} << 24;
  const int64_t work = s.rows * s.cols * s.k;
  return work > small_work && (s.k <= short_k || work <= whole || std::min(s.rows, s.cols) * s.k < thin);
}

// Tiles of 192 columns, or as many as leave room for 8 rows.
Tiles small_tiles(const ProductShape& s) {
  const int64_t threads = concurrency(), low = std::min<int64_t>(s.rows, 8);
  const int64_t wide = std::clamp<int64_t>(small_work / (low * s.k) / 16 * 16, 16, 192);
  int64_t across = Tiles::parts(s.cols, wide);
  int64_t down = Tiles::parts(s.rows, std::max<int64_t>(1, small_work / (part_of(s.cols, across) * s.k)));
  int64_t& shared = s.rows >= 16 * threads ? down : across;
  shared = round_up(shared, threads);
  return {Tiles::parts(s.rows, down), part_of(s.cols, across)};
}

}  // namespace arr::host
