// SPDX-License-Identifier: MIT
// Kernels of sorts.
#pragma once

#include <string>

#include "cuda/codegen/emit.h"

namespace arr::cuda {

// Words: elements, results, their places, rows, their length, whether descending, keys and places before a
// pass and after it, counts of digits, tiles of a row, a tile's length, the pass.
enum class SortStage : uint8_t { short_rows, count, scan, scatter, gather };
inline constexpr int32_t sort_keys_word = 0, sort_sorted_word = 1, sort_order_word = 2, sort_rows_word = 3,
                         sort_n_word = 4, sort_descending_word = 5, sort_from_keys_word = 6,
                         sort_from_places_word = 7, sort_to_keys_word = 8, sort_to_places_word = 9,
                         sort_counts_word = 10, sort_tiles_word = 11, sort_tile_word = 12,
                         sort_pass_word = 13, sort_words = 14;
inline constexpr int64_t sort_short_row = 1024;  // as in sort.cuh
std::string emit_sort(DType d, SortStage stage);

}  // namespace arr::cuda
