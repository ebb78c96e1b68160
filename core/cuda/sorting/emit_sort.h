// SPDX-License-Identifier: MIT
// Kernels of sorts.
#pragma once

#include <string>

#include "backend/sorting.h"
#include "cuda/codegen/emit.h"

namespace arr::cuda {

// One kernel each: of short rows; of passes over long rows; of the selection of some elements.
enum class SortStage : uint8_t {
  warp_rows,
  block_rows,
  count,
  scan,
  scatter,
  gather,
  select_count,
  select_pivot,
  group_count,
  group_scatter,
  first_elements,
  first_indices
};
inline constexpr int32_t sort_stages = 12;

// The words of their parameters, in the order of emit_sort.cpp's names; kth has max_select_kth.
enum SortWord : int32_t {
  sort_keys_word,
  sort_sorted_word,
  sort_order_word,
  sort_rows_word,
  sort_n_word,
  sort_descending_word,
  sort_from_keys_word,
  sort_from_indices_word,
  sort_to_keys_word,
  sort_to_indices_word,
  sort_counts_word,
  sort_tiles_word,
  sort_tile_word,
  sort_pass_word,
  sort_inner_word,
  sort_pivots_word,
  sort_pivot_counts_word,
  sort_nkth_word,
  sort_count_word,
  sort_from_order_word,
  sort_permuted_word,
  sort_kth_word,
  sort_words = sort_kth_word + max_select_kth
};
inline constexpr int64_t sort_warp_row = 32;
// Equal to max_row_length in sort_rows.cuh and pivot_bytes in partial_sort.cuh.
constexpr int64_t sort_block_row(int64_t item) { return item <= 8 ? 4096 : 2048; }
inline constexpr int64_t sort_pivot_bytes = 32;
std::string emit_sort(DType d, SortStage stage);

}  // namespace arr::cuda
