// SPDX-License-Identifier: MIT
// Reductions of segments as CUDA C++ text: threads that share one take every so many-th of its elements and
// join what they have in a fixed order. Each begins with an element: no identity takes part.
#include "cuda/codegen/print.h"

namespace arr::cuda {

namespace {

// Joins what the lanes have, of which the first `have` have something; the result is in lane 0.
std::string together(int32_t lanes) {
  if (lanes == 1) return {};
  std::string out = text("#pragma unroll\n  for (int d = ", lanes < 32 ? lanes / 2 : 16,
                         "; d > 0; d >>= 1) {\n    const A other = arr_shuffle_down(s, d);\n"
                         "    if (lane % 32 + d < 32 && lane + d < have) s = arr_join(s, other);\n  }\n");
  if (lanes <= 32) return out;
  return out +
         text("  __shared__ A parts[", block_threads,
              " / 32];\n  if (lane % 32 == 0) parts[threadIdx.x / 32] = s;\n  __syncthreads();\n"
              "  if (lane == 0) {\n    for (int l = 1; l * 32 < have; ++l) s = arr_join(s, parts[row * ",
              lanes / 32, " + l]);\n  }\n");
}

}  // namespace

Words segment_words(const SegmentShape& s) {
  Words w;
  w.extent = segment_step_word + 1;
  w.output = w.extent + 2 * s.dims;
  w.stride = {w.output + s.dims};
  w.pointer = {segment_input_word};
  w.count = w.stride[0] + s.dims;
  return w;
}

std::string print_segments(const ReductionInfo& r, DType acc, DType out, const SegmentShape& s) {
  const Words w = segment_words(s);
  const int32_t rows = block_threads / s.lanes;
  return text(
      "typedef ", cpp_type(acc), " A;\ntypedef ", cpp_type(out), " O;\nARR_FN A arr_join(A a, A b) { return ",
      r.combine, "; }\nstruct arr_params { unsigned long long w[", w.count,
      "]; };\nextern \"C\" __global__ void __launch_bounds__(", block_threads,
      ") arr_kernel(const __grid_constant__ arr_params p) {\n  const int lane = threadIdx.x % ", s.lanes,
      ", row = threadIdx.x / ", s.lanes,
      ";\n  const long long results = (long long)p.w[0], o = (long long)blockIdx.x * ", rows,
      " + row;\n  A s = A(0);\n  int have = 0;\n  char* to = (char*)p.w[", segment_output_word,
      "];\n  if (o < results) {\n", print_split("    ", "o", "k", s.dims, w.extent, s.wide),
      "    to += ", print_offset("k", s.dims, w.output, s.wide), ";\n    const char* q = (const char*)p.w[",
      segment_input_word, "] + ", print_offset("k", s.dims, w.stride[0], s.wide),
      ";\n    const long long* bounds = (const long long*)p.w[", segment_bounds_word, "] + 2 * (long long)k",
      s.first ? 0 : s.dims - 1, ";\n    const long long step = (long long)p.w[", segment_step_word,
      "], end = bounds[1];\n    long long j = bounds[0];\n    have = end - j < ", s.lanes,
      " ? (int)(end - j) : ", s.lanes,
      ";\n    j += lane;\n    if (j < end) s = *(const A*)(q + j * step);\n#pragma unroll 4\n    for (j += ",
      s.lanes, "; j < end; j += ", s.lanes, ") s = arr_join(s, *(const A*)(q + j * step));\n  }\n",
      together(s.lanes), "  if (lane == 0 && o < results) *(O*)to = arr_cast<O>(s);\n}\n");
}

}  // namespace arr::cuda
