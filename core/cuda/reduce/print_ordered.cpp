// SPDX-License-Identifier: MIT
// Segments combined from left to right as CUDA C++ text: a thread goes along each.
#include "cuda/reduce/print_ordered.h"

namespace arr::cuda {

Words fold_words(const FoldShape& s) {
  Words w;
  w.extent = fold_initial_word + 2;
  w.output = w.extent + 2 * s.dims;
  w.stride = {w.output + s.dims, w.output + 2 * s.dims};
  w.pointer = {segment_input_word, fold_mask_word};
  w.count = w.stride[1] + s.dims;
  return w;
}

std::string print_fold(const Program& step, const FoldShape& s) {
  const Words w = fold_words(s);
  const char* a = cpp_type(step.inputs[0]);
  const std::string x = text("*(const ", a, "*)(q + j * step)"),
                    put = text("*(", a, "*)(to + j * along) = s;\n");
  std::string out = print_body(step);
  out += text("struct arr_params { unsigned long long w[", w.count,
              "]; };\nextern \"C\" __global__ void __launch_bounds__(", block_threads,
              ") arr_kernel(const __grid_constant__ arr_params p) {\n"
              "  const long long o = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
              "  if (o >= (long long)p.w[0]) return;\n",
              print_split("  ", "o", "k", s.dims, w.extent, s.wide), "  char* to = (char*)p.w[",
              segment_output_word, "] + ", print_offset("k", s.dims, w.output, s.wide),
              ";\n  const char* q = (const char*)p.w[", segment_input_word, "] + ",
              print_offset("k", s.dims, w.stride[0], s.wide), ";\n  const long long step = (long long)p.w[",
              segment_step_word, "];\n");
  if (s.masked) {
    out += text("  const char* m = (const char*)p.w[", fold_mask_word, "] + ",
                print_offset("k", s.dims, w.stride[1], s.wide),
                ";\n  const long long mask_step = (long long)p.w[", fold_mask_step_word, "];\n");
  }
  if (s.running) out += text("  const long long along = (long long)p.w[", fold_along_word, "];\n");
  if (s.bounds) {
    out += text("  const long long* bounds = (const long long*)p.w[", segment_bounds_word,
                "] + 2 * (long long)k", s.first ? 0 : s.dims - 1,
                ";\n  long long j = bounds[0];\n  const long long end = bounds[1];\n");
  } else {
    out += text("  long long j = 0;\n  const long long end = (long long)p.w[", fold_length_word, "];\n");
  }
  if (s.initial) {
    out += text("  ", a, " s = arr_word<", a, ">(p.w + ", fold_initial_word, ");\n");
  } else {
    out += text("  ", a, " s = ", x, ";\n", s.running ? "  " + put : std::string(), "  ++j;\n");
  }
  return out + text("  for (; j < end; ++j) {\n    ", a, " next;\n    arr_body(s, ", x,
                    s.masked ? ", *(const bool*)(m + j * mask_step)" : "", ", next);\n    s = next;\n",
                    s.running ? "    " + put : std::string(), "  }\n",
                    s.running ? std::string() : text("  *(", a, "*)to = s;\n"), "}\n");
}

}  // namespace arr::cuda
