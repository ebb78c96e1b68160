// SPDX-License-Identifier: MIT
// Kernels that pack conditions into mask bits, and that read and write the selected elements.
#pragma once

#include <string>

#include "cuda/codegen/emit.h"

namespace arr::cuda {

// Parameters of all these kernels: the number of elements, the mask bits, the counts before the tiles.
inline constexpr int32_t mask_size_word = 0, mask_bits_word = 1, mask_before_word = 2;

// The properties that a packing kernel is specialised for, besides its map.
struct PackMaskShape {
  int32_t dims = 0;
  bool wide = false;   // 64-bit indices and offsets
  int32_t vector = 1;  // elements that are read at once: with one dimension and contiguous operands
  AccessList access;   // access to the map's inputs
};
inline constexpr int32_t pack_tiles_word = 3, pack_carry_word = 4;
Words pack_mask_words(const PackMaskShape& s);
std::string emit_pack_mask(const Program& map, const PackMaskShape& s);

struct CompactShape {
  int32_t dims = 0;
  bool wide = false;
  int32_t nspace = 0;    // coordinates of the selected elements
  int32_t row_unit = 0;  // bytes of an access to rows: 1, 2, 4, 8 or 16; 0: no rows
  AccessList access;
};
inline constexpr int32_t compact_capacity_word = 3, compact_index_step_word = 4, compact_row_to_word = 5,
                         compact_rows_word = 6, compact_row_units_word = 7,  // and their reciprocal
    compact_values_word = 9;
// `output` is the first stride of rows.
Words compact_words(const CompactShape& s);
int32_t compact_space_word(
    const CompactShape& s);  // extents with their reciprocals, then addresses of the coordinates
std::string emit_compact(const Program& map, const CompactShape& s);

struct MaskedScatterShape {
  int32_t dims = 0;
  bool wide = false;
  int32_t item = 0;  // bytes of an element
};
inline constexpr int32_t scatter_target_word = 3, scatter_from_word = 4, scatter_nvalues_word = 5;
Words masked_scatter_words(const MaskedScatterShape& s);  // `output` is the target's first stride
std::string emit_masked_scatter(const MaskedScatterShape& s);

}  // namespace arr::cuda
