// SPDX-License-Identifier: MIT
// The lines before the kernels of quantiles.cuh and weighted_quantiles.cuh.
#include "cuda/statistics/emit_quantiles.h"

#include <span>

#include "quantile_formulas.h"
#include "quantile_key.h"
#include "quantiles_kernel.h"
#include "weighted_quantiles_kernel.h"

namespace arr::cuda {

namespace {

struct Word {
  const char* name;
  int32_t at;
};
std::string emit_words(std::span<const Word> words, int32_t count) {
  std::string out;
  for (const Word& w : words) out += text("constexpr int ", w.name, "_word = ", w.at, ";\n");
  return out + text("struct arr_params { unsigned long long w[", count, "]; };\n");
}

// The types of elements and of their keys.
std::string emit_types(DType d) {
  const DType element = d == DType::bool_ ? DType::uint8_ : d;
  const int64_t item = item_size(element);
  const char* whole = item == 1   ? "unsigned char"
                      : item == 2 ? "unsigned short"
                      : item == 4 ? "unsigned"
                                  : "unsigned long long";
  return text("typedef ", cpp_type(element), " T;\ntypedef ", whole, " U;\ntypedef ",
              item == 8 ? "unsigned long long" : "unsigned", " K;\nconstexpr int key_bits = ", 8 * item,
              ";\nconstexpr bool floating = ", is_floating(element) ? "true" : "false",
              ", negatives = ", kind(element) == DKind::INT ? "true" : "false", ";\n");
}

}  // namespace

int64_t quantile_row_bytes(int32_t slots) {
  // arr_row: for each quantile two counts, three keys, a group and 256 counts; the rest.
  return slots * (2 * 8 + 3 * 8 + 4 + 256 * 8) + 64;
}

std::string emit_quantiles(DType d, const QuantileShape& s) {
  std::string out(quantile_formulas, quantile_formulas_size);
  out += emit_types(d);
  out += text("constexpr int lanes = ", s.lanes, ", slots = ", s.slots,
              ";\nconstexpr long long row_bytes = ", quantile_row_bytes(s.slots),
              ";\nconstexpr bool split = ", s.split ? "true" : "false", ";\n");
  const Word words[] = {
      {"data", quantile_data_word},         {"out", quantile_out_word},
      {"rows", quantile_rows_word},         {"n", quantile_n_word},
      {"wanted", quantile_wanted_word},     {"method", quantile_method_word},
      {"flags", quantile_flags_word},       {"steps", quantile_steps_word},
      {"scratch", quantile_scratch_word},   {"part", quantile_part_word},
      {"pass", quantile_pass_word},         {"q", quantile_q_word},
      {"index", quantile_q_word + s.slots},
  };
  out += emit_words(words, quantile_words(s.slots));
  out.append(quantile_key, quantile_key_size);
  return out.append(quantiles_kernel, quantiles_kernel_size);
}

std::string emit_weighted(DType d) {
  constexpr Word words[] = {
      {"data", quantile_data_word},
      {"out", quantile_out_word},
      {"rows", quantile_rows_word},
      {"n", quantile_n_word},
      {"wanted", quantile_wanted_word},
      {"weights", weighted_weights_word},
      {"flags", quantile_flags_word},
      {"weights_row", weighted_row_word},
      {"scratch", quantile_scratch_word},
      {"first", weighted_first_word},
      {"q", weighted_q_word},
  };
  std::string out = emit_types(d) + emit_words(words, weighted_words);
  out.append(quantile_key, quantile_key_size);
  return out.append(weighted_quantiles_kernel, weighted_quantiles_kernel_size);
}

}  // namespace arr::cuda
