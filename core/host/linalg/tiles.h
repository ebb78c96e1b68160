// SPDX-License-Identifier: MIT
// The tiles of a product that threads share: each is a call of a BLAS with one thread.
#pragma once

#include <cstdint>

namespace arr::host {

// Extents of a product: rows x k by k x cols.
struct ProductShape {
  int64_t rows, cols, k;
};

struct Tiles {
  int64_t rows, cols;
  static int64_t parts(int64_t extent, int64_t part) { return (extent + part - 1) / part; }
};

// The extent of each of `count` equal parts, in whole vectors and cache lines.
int64_t part_of(int64_t extent, int64_t count);

// A tile for each thread.
Tiles equal_tiles(const ProductShape& shape);
// Square tiles of a square result, of which only those of a triangle are computed.
Tiles square_tiles(const ProductShape& shape);

// Returns true if the kernels of OpenBLAS for small matrices are faster for the product's tiles than those
// that copy their operands first.
bool small_tiles_pay(const ProductShape& shape);
// Tiles that those kernels take.
Tiles small_tiles(const ProductShape& shape);

}  // namespace arr::host
