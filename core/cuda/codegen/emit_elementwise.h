// SPDX-License-Identifier: MIT
// Element-wise programs as kernels, and as functions that cuFFT's callbacks call.
#pragma once

#include <string>

#include "cuda/codegen/emit.h"

namespace arr::cuda {

// The properties that an element-wise kernel is specialised for, besides the program.
struct ElementwiseShape {
  enum Kind : uint8_t { linear = 0, rows = 1, general = 2, tiled = 3 } kind = linear;
  int32_t dims = 1;    // rows: number of dimensions outside of the row; general, tiled: all dimensions
  int32_t vector = 1;  // linear, rows: elements per access
  int32_t edge = 0;    // tiled: edge of the square tiles, 32 or 64 elements
  bool wide = false;   // all but linear: 64-bit indices and offsets
  AccessList access;
};
Words elementwise_words(const ElementwiseShape& s);
std::string emit_elementwise(const Program& p, const ElementwiseShape& s);

// The general kernel as a function arr_element(p, i, g...) for one element. The operands whose access is
// function_argument are its arguments. For an index after the last element it reads and writes nothing.
std::string emit_element(const Program& p, const ElementwiseShape& s);

// Tiled kernels: threads of a row of the tile share the output's fastest dimension when they compute, and the
// transposed inputs' when they load; these are the last two dimensions, in the order input's, output's. The
// rows of a tile are padded by one word, so that neither way causes bank conflicts in shared memory.
inline constexpr int32_t tiled_outside_word = 2;
inline constexpr int64_t min_tiled = 16, tile_bytes = 48 << 10;
constexpr int64_t tile_pad(int64_t item) { return item < 4 ? 4 / item : 1; }
constexpr int64_t tile_of(int64_t edge, int64_t item) { return edge * (edge + tile_pad(item)) * item; }

}  // namespace arr::cuda
