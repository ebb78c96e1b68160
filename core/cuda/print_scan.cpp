// SPDX-License-Identifier: MIT
// Scans as CUDA C++ text. Blocks that share a sequence each take a part of it and begin from the result of
// the parts before, which two launches have made ready (see scan.cpp): reduce, then scan. A single pass with
// look-back would read the input once only, but would combine in an order that depends on timing.
#include <algorithm>

#include "cuda/print.h"

namespace arr::cuda {

namespace {

class Scan {
 public:
  Scan(const ReductionInfo& r, const Program& map, DType acc, DType out, const ScanShape& s)
      : r_(r), map_(map), acc_(acc), out_type_(out), s_(s), w_(scan_words(s)) {}

  std::string print() {
    out_ = print_body(map_);
    out_ += text("struct arr_params { unsigned long long w[", w_.count, "]; };\ntypedef ", cpp_type(acc_),
                 " A;\ntypedef ", cpp_type(out_type_), " O;\nARR_FN A arr_join(A a, A b) { return ",
                 r_.combine, "; }\n");
    out_ += text("extern \"C\" __global__ void __launch_bounds__(", block_threads,
                 ") arr_kernel(const __grid_constant__ arr_params p) {\n",
                 "  const long long sequences = (long long)p.w[0], length = (long long)p.w[1];\n");
    if (s_.kind == ScanShape::columns) {
      columns();
    } else {
      rows();
    }
    return out_ + "}\n";
  }

 private:
  const char* index() const { return s_.wide ? "long long" : "int"; }

  // Where sequence o begins, what part of it this block takes, and what is in front of the part.
  void begin(const char* indent) {
    out_ += print_split(indent, "o", "k", s_.kept, w_.extent, s_.wide);
    out_ += text(indent, "to = (char*)p.w[", scan_output_word, "] + ",
                 print_offset("k", s_.kept, w_.output, s_.wide), ";\n");
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] == Access::immediate) continue;
      out_ += text(indent, "q", k, " = (const char*)p.w[", w_.pointer[k], "] + ",
                   print_offset("k", s_.kept, w_.stride[k], s_.wide), ";\n");
    }
    if (s_.split) {
      out_ += text(indent, "if (blockIdx.y > 0) before = ((const A*)p.w[", scan_carry_word,
                   "])[(long long)(blockIdx.y - 1) * sequences + o];\n");
    }
  }
  void variables() {
    out_ += "  char* to = nullptr;\n";
    for (size_t k = 0; k < s_.access.size(); ++k) {
      const char* type = cpp_type(map_.inputs[k]);
      if (s_.access[k] == Access::immediate) {
        out_ += text("  const ", type, " s", k, " = arr_word<", type, ">(p.w + ", w_.pointer[k], ");\n");
      } else {
        out_ += text("  const char* q", k, " = nullptr;\n");
      }
    }
    out_ += "  A before = A(0);\n";
    if (s_.split) {
      out_ += text("  const ", index(), " part = (", index(), ")p.w[", scan_part_word, "], from = (", index(),
                   ")blockIdx.y * part;\n  const ", index(), " end = (long long)from + part < length ? ",
                   "from + part : (", index(), ")length;\n  bool any = blockIdx.y > 0;\n");
    } else {
      out_ += text("  const ", index(), " from = 0, end = (", index(), ")length;\n  bool any = false;\n");
    }
  }
  // The map of element j into m.
  std::string element() const {
    std::string args;
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] == Access::immediate) {
        args += text("s", k, ", ");
      } else {
        args += text("*(const ", cpp_type(map_.inputs[k]), "*)(q", k, " + j * (", index(), ")p.w[",
                     w_.stride[k] + s_.kept, "]), ");
      }
    }
    return text("arr_body(", args, "m);\n");
  }
  std::string store(const char* value) const {
    return text("*(O*)(to + j * (", index(), ")p.w[", w_.output + s_.kept, "]) = arr_cast<O>(", value,
                ");\n");
  }

  // A thread per sequence: neighbouring threads read neighbouring elements.
  void columns() {
    variables();
    out_ += text("  const long long o = (long long)blockIdx.x * ", block_threads,
                 " + threadIdx.x;\n  if (o >= sequences) return;\n");
    begin("  ");
    out_ +=
        text("#pragma unroll 4\n  for (", index(), " j = from; j < end; ++j) {\n    A m;\n    ", element(),
             "    before = any ? arr_join(before, m) : m;\n    any = true;\n    ", store("before"), "  }\n");
  }

  // `lanes` threads per sequence. A step takes `scan_each` times that many elements: each warp as many next
  // to each other, 32 of them at once, so that neighbouring threads read and write neighbouring elements.
  void rows() {
    const int32_t per_block = block_threads / s_.lanes, width = std::min(s_.lanes, 32), each = scan_each;
    variables();
    out_ += text("  const int lane = threadIdx.x % ", s_.lanes, ", row = threadIdx.x / ", s_.lanes,
                 ";\n  const long long o = (long long)blockIdx.x * ", per_block,
                 " + row;\n  const bool mine = o < sequences;\n  if (mine) {\n");
    begin("    ");
    out_ += "  }\n";
    if (s_.lanes > 32) out_ += text("  __shared__ A parts[", block_threads / 32, "];\n");
    // The bound, not base, stops short of a step that would overflow.
    out_ +=
        text("#pragma unroll 1\n  for (", index(), " base = from; base < end; base += ", s_.lanes * each,
             ") {\n    const ", index(), " warp = base + lane / 32 * ", 32 * each, ";\n    A v[", each,
             "], sum = A(0), front = A(0);\n    bool some = false;\n#pragma unroll\n    for (int i = 0; i < ",
             each, "; ++i) {\n      if (warp + i * ", width, " >= end) break;\n      const ", index(),
             " j = warp + i * ", width, " + lane % ", width,
             ";\n      A m = A(0);\n      if (mine && j < end) ", element());
    warp(width);
    out_ += "    }\n";
    if (s_.lanes > 32) warps();
    out_ +=
        text("#pragma unroll\n    for (int i = 0; i < ", each, "; ++i) {\n      const ", index(),
             " j = warp + i * ", width, " + lane % ", width, ";\n      if (!mine || j >= end) break;\n",
             "      A r = some ? arr_join(front, v[i]) : v[i];\n      if (any) r = arr_join(before, r);\n",
             "      ", store("r"),
             "    }\n    before = any ? arr_join(before, sum) : sum;\n    any = true;\n  }\n");
  }
  // v[i]: the sum within the warp's elements of this step; sum: of all of them so far. Only the last step of
  // a part has lanes without elements, and those come last.
  void warp(int32_t width) {
    if (width > 1) {
      out_ += text("#pragma unroll\n      for (int d = 1; d < ", width, "; d <<= 1) {\n",
                   "        const A t = arr_shuffle_up(m, d);\n        if (lane % ", width,
                   " >= d) m = arr_join(t, m);\n      }\n");
    }
    out_ += "      v[i] = i == 0 ? m : arr_join(sum, m);\n";
    if (width > 1) {
      out_ += text("      sum = arr_shuffle(v[i], threadIdx.x % 32 / ", width, " * ", width, " + ", width - 1,
                   ");\n");
    } else {
      out_ += "      sum = v[i];\n";
    }
  }
  // front: the sum of the warps before this one, if there are some; sum: of all warps.
  void warps() {
    const int32_t count = s_.lanes / 32;
    out_ +=
        text("    __syncthreads();\n    if (lane % 32 == 0) parts[threadIdx.x / 32] = sum;\n",
             "    __syncthreads();\n    A all = parts[row * ", count, "];\n#pragma unroll\n",
             "    for (int w = 1; w < ", count, "; ++w) {\n      if (w == lane / 32) {\n",
             "        front = all;\n        some = true;\n      }\n      all = arr_join(all, parts[row * ",
             count, " + w]);\n    }\n    sum = all;\n");
  }

  const ReductionInfo& r_;
  const Program& map_;
  const DType acc_, out_type_;
  const ScanShape& s_;
  const Words w_;
  std::string out_;
};

}  // namespace

Words scan_words(const ScanShape& s) {
  Words w;
  w.extent = scan_part_word + 1;
  w.output = w.extent + 2 * s.kept;
  w.count = w.output + s.kept + 1;
  w.add_operands(s.access, s.kept + 1);
  return w;
}

std::string print_scan(const ReductionInfo& r, const Program& map, DType acc, DType out, const ScanShape& s) {
  return Scan(r, map, acc, out, s).print();
}

}  // namespace arr::cuda
