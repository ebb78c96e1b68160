// SPDX-License-Identifier: MIT
// The kernel of quantile_text.cuh for a dtype and a class of shapes.
#include "cuda/print.h"
#include "quantile_formulas.h"
#include "quantile_text.h"

namespace arr::cuda {

int64_t quantile_row_bytes(int32_t slots) {
  // Of arr_row: ranks, how many are equal, three keys, a group, and 256 counts for each; the rest.
  return slots * (2 * 8 + 3 * 8 + 4 + 256 * 8) + 64;
}

std::string print_quantiles(DType d, const QuantileShape& s) {
  const DType element = d == DType::bool_ ? DType::uint8_ : d;
  const int64_t item = item_size(element);
  const char* whole = item == 1   ? "unsigned char"
                      : item == 2 ? "unsigned short"
                      : item == 4 ? "unsigned"
                                  : "unsigned long long";
  std::string out(quantile_formulas, quantile_formulas_size);
  out += text("typedef ", cpp_type(element), " T;\ntypedef ", whole, " U;\ntypedef ",
              item == 8 ? "unsigned long long" : "unsigned", " K;\nconstexpr int key_bits = ", 8 * item,
              ", lanes = ", s.lanes, ", slots = ", s.slots,
              ";\nconstexpr long long row_bytes = ", quantile_row_bytes(s.slots),
              ";\nconstexpr bool split = ", s.split ? "true" : "false",
              ", floating = ", is_floating(element) ? "true" : "false",
              ", negatives = ", kind(element) == DKind::INT ? "true" : "false", ";\n");
  struct Word {
    const char* name;
    int32_t at;
  };
  constexpr Word words[] = {
      {"data", quantile_data_word},   {"out", quantile_out_word},       {"rows", quantile_rows_word},
      {"n", quantile_n_word},         {"wanted", quantile_wanted_word}, {"method", quantile_method_word},
      {"flags", quantile_flags_word}, {"steps", quantile_steps_word},   {"scratch", quantile_scratch_word},
      {"part", quantile_part_word},   {"pass", quantile_pass_word},     {"q", quantile_q_word},
  };
  for (const Word& w : words) out += text("constexpr int ", w.name, "_word = ", w.at, ";\n");
  out += text("constexpr int index_word = ", quantile_q_word + s.slots,
              ";\nstruct arr_params { unsigned long long w[", quantile_words(s.slots), "]; };\n");
  return out.append(quantile_text, quantile_text_size);
}

}  // namespace arr::cuda
