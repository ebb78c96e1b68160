// SPDX-License-Identifier: MIT
// The text of the kernels of sorts: constants, the files that a stage needs, and its entry.
#include "cuda/sorting/emit_sort.h"

#include "partial_sort_kernel.h"
#include "sort_kernel.h"
#include "sort_key.h"
#include "sort_rows_kernel.h"

namespace arr::cuda {

namespace {

// The bits of a float's infinity; 0 for integers.
const char* infinity(DType d) {
  switch (d) {
    case DType::float16_:
      return "0x7c00";
    case DType::bfloat16_:
      return "0x7f80";
    case DType::float32_:
      return "0x7f800000u";
    case DType::float64_:
      return "0x7ff0000000000000ull";
    default:
      return "0";
  }
}

const char* whole(int64_t bytes) {
  switch (bytes) {
    case 1:
      return "unsigned char";
    case 2:
      return "unsigned short";
    case 4:
      return "unsigned";
    default:
      return "unsigned long long";
  }
}

}  // namespace

std::string emit_sort(DType d, SortStage stage) {
  const DType part = real_type(d);
  std::string out =
      text("typedef ", whole(item_size(part)), " K;\nconstexpr int words = ", is_complex(d) ? 2 : 1,
           ";\nconstexpr K infinity = ", infinity(part),
           ";\nconstexpr bool truth = ", d == DType::bool_ ? "true" : "false",
           ", negatives = ", kind(part) == DKind::INT ? "true" : "false", ";\n");
  static constexpr const char* names[sort_kth_word + 1] = {
      "keys",         "sorted",  "order",        "rows",   "n",     "descending", "from_keys",
      "from_indices", "to_keys", "to_indices",   "counts", "tiles", "tile",       "pass",
      "inner",        "pivots",  "pivot_counts", "nkth",   "count", "from_order", "permuted",
      "kth"};
  for (int32_t i = 0; i <= sort_kth_word; ++i) out += text("constexpr int ", names[i], "_word = ", i, ";\n");
  out += text("struct arr_params { unsigned long long w[", static_cast<int32_t>(sort_words), "]; };\n");
  out.append(sort_key, sort_key_size);
  if (stage <= SortStage::block_rows) {
    out.append(sort_rows_kernel, sort_rows_kernel_size);
  } else {
    out.append(sort_kernel, sort_kernel_size);
  }
  if (stage >= SortStage::select_count) out.append(partial_sort_kernel, partial_sort_kernel_size);
  static constexpr const char* entries[sort_stages] = {
      "warp_rows",    "block_rows",   "count",       "scan",          "scatter",        "gather",
      "select_count", "select_pivot", "group_count", "group_scatter", "first_elements", "first_indices"};
  return out + text(
                   "extern \"C\" __global__ void __launch_bounds__(256) arr_kernel("
                   "const __grid_constant__ arr_params p) { arr_",
                   entries[static_cast<int32_t>(stage)], "(p); }\n");
}

}  // namespace arr::cuda
