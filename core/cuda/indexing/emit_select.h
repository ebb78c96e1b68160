// SPDX-License-Identifier: MIT
// Kernels that mark where conditions are true, and that read and write marked elements.
#pragma once

#include <string>

#include "cuda/codegen/emit.h"

namespace arr::cuda {

// Words of the kernels of marks: elements, the bits, the numbers before the tiles.
inline constexpr int32_t marks_size_word = 0, marks_bits_word = 1, marks_before_word = 2;

// The properties that a marking kernel is specialised for, besides its map.
struct MarkShape {
  int32_t dims = 0;
  bool wide = false;   // 64-bit indices and offsets
  int32_t vector = 1;  // elements that are read at once: with one dimension and contiguous operands
  AccessList access;   // of the map's inputs
};
inline constexpr int32_t mark_tiles_word = 3, mark_carry_word = 4;
Words mark_words(const MarkShape& s);
std::string emit_mark(const Program& map, const MarkShape& s);

struct SelectShape {
  int32_t dims = 0;
  bool wide = false;
  int32_t nspace = 0;    // coordinates of the selected elements
  int32_t row_unit = 0;  // bytes of an access to rows: 1, 2, 4, 8 or 16; 0: no rows
  AccessList access;
};
inline constexpr int32_t select_capacity_word = 3, select_place_step_word = 4, select_row_to_word = 5,
                         select_rows_word = 6, select_row_units_word = 7,  // and their reciprocal
    select_values_word = 9;
// `output` is the first stride of rows.
Words select_words(const SelectShape& s);
int32_t select_space_word(
    const SelectShape& s);  // extents with their reciprocals, then addresses of the coordinates
std::string emit_select(const Program& map, const SelectShape& s);

struct ExpandShape {
  int32_t dims = 0;
  bool wide = false;
  int32_t item = 0;  // bytes of an element
};
inline constexpr int32_t expand_target_word = 3, expand_from_word = 4, expand_nvalues_word = 5;
Words expand_words(const ExpandShape& s);  // `output` is the target's first stride
std::string emit_expand(const ExpandShape& s);

}  // namespace arr::cuda
