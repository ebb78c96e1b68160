// SPDX-License-Identifier: MIT
// Kernels of quantiles.
#pragma once

#include <string>

#include "cuda/codegen/emit.h"

namespace arr::cuda {

// The properties that a kernel of quantiles is specialised for, besides the dtype. lanes: threads per row, 32
// or 256; slots: quantiles at a time, at most as many as lanes; split: several blocks per row, and a launch
// per step.
struct QuantileShape {
  int32_t lanes = 256, slots = 32;
  bool split = false;
};
// Words: elements, results, rows, their length, number of quantiles, method, flags (1 skips nan, 2 returns
// elements), steps, the memory that keeps the rows' state between launches, a part's length, the launch's
// step; then each q (float64) and its row of results.
inline constexpr int32_t quantile_data_word = 0, quantile_out_word = 1, quantile_rows_word = 2,
                         quantile_n_word = 3, quantile_wanted_word = 4, quantile_method_word = 5,
                         quantile_flags_word = 6, quantile_steps_word = 7, quantile_scratch_word = 8,
                         quantile_part_word = 9, quantile_pass_word = 10, quantile_q_word = 11;
constexpr int32_t quantile_words(int32_t slots) { return quantile_q_word + 2 * slots; }
int64_t quantile_row_bytes(int32_t slots);
std::string emit_quantiles(DType d, const QuantileShape& s);
// Quantiles of elements with weights: a block takes a row at a time. Its own words: weights, elements from a
// row's weights to the next, the first row of results; then each q.
inline constexpr int32_t weighted_weights_word = 5, weighted_row_word = 7, weighted_first_word = 9,
                         weighted_q_word = 10, weighted_slots = 32;
inline constexpr int32_t weighted_words = weighted_q_word + weighted_slots;
std::string emit_weighted(DType d);

}  // namespace arr::cuda
