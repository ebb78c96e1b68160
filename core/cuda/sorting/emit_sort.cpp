// SPDX-License-Identifier: MIT
// The lines before the kernels of sort.cuh.
#include "cuda/sorting/emit_sort.h"

#include "sort_kernel.h"

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
           ", stage = ", static_cast<int>(stage), ";\nconstexpr K infinity = ", infinity(part),
           ";\nconstexpr bool truth = ", d == DType::bool_ ? "true" : "false",
           ", negatives = ", kind(part) == DKind::INT ? "true" : "false", ";\n");
  static constexpr const char* names[sort_words] = {
      "keys",        "sorted",  "order",     "rows",   "n",     "descending", "from_keys",
      "from_places", "to_keys", "to_places", "counts", "tiles", "tile",       "pass"};
  for (int32_t i = 0; i < sort_words; ++i) out += text("constexpr int ", names[i], "_word = ", i, ";\n");
  out += text("struct arr_params { unsigned long long w[", sort_words, "]; };\n");
  return out.append(sort_kernel, sort_kernel_size);
}

}  // namespace arr::cuda
