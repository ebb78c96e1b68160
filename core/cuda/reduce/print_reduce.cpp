// SPDX-License-Identifier: MIT
// Reductions as CUDA C++ text: a map program per element, the table's formulas to combine, and the exchange
// between the threads and blocks that share an output. The order of combination follows from the shape
// alone, so equal calls give equal bits.
#include "cuda/codegen/print.h"
#include "squares_text.h"
#include "states_text.h"

namespace arr::cuda {

namespace {

class Reduce {
 public:
  Reduce(const ReductionInfo& r, const Program& map, DType acc, DType out, const ReduceShape& s)
      : r_(r), map_(map), acc_(acc), out_type_(out), s_(s), w_(reduce_words(s)) {}

  std::string print() {
    out_ = print_body(map_);
    functions();
    together();
    kernel();
    return out_;
  }

 private:
  bool index() const { return r_.kind == ReduceKind::INDEX; }
  bool state() const { return r_.kind == ReduceKind::STATE; }
  int32_t rows_per_block() const { return block_threads / s_.lanes; }

  // The state of one output, S, and the table's formulas on it.
  void functions() {
    if (state()) out_.append(squares_text, squares_text_size).append(states_text, states_text_size);
    out_ += text("struct arr_params { unsigned long long w[", w_.count, "]; };\n");
    if (!index()) {
      out_ += print_joins(r_, acc_, out_type_);
      return;
    }
    out_ += text(
        "typedef ", cpp_type(acc_), " A;\ntypedef ", cpp_type(out_type_), " O;\n",
        "struct S { A value; long long at; };\nARR_FN S arr_identity() {\n  S s;\n  s.value = ", r_.identity,
        ";\n  s.at = 0x7fffffffffffffffLL;\n  return s;\n}\n", "ARR_FN bool arr_better(A b, A a) { return ",
        r_.combine, "; }\n",
        "ARR_FN S arr_join(S a, S b) {\n  if (arr_better(b.value, a.value)) return b;\n"
        "  if (arr_better(a.value, b.value)) return a;\n  return b.at < a.at ? b : a;\n}\n"
        "ARR_FN long long arr_place(A a, long long at) { return ",
        r_.finish,
        "; }\nARR_FN O arr_end(S s, typename arr_real_of<A>::type, typename arr_real_of<A>::type) {\n"
        "  return (O)arr_place(s.value, s.at);\n}\n");
  }

  // Joins what the lanes of a row hold; the result is in lane 0. Every thread of the block calls it.
  void together() {
    out_ += "ARR_FN S arr_together(S s, int row, int lane) {\n";
    if (s_.kind == ReduceShape::columns && s_.lanes > 1) {
      out_ += text("  __shared__ S parts[", block_threads, "];\n  __syncthreads();\n",
                   "  parts[threadIdx.x] = s;\n  __syncthreads();\n  if (lane == 0) {\n",
                   "    for (int l = 1; l < ", s_.lanes, "; ++l) s = arr_join(s, parts[l * ",
                   rows_per_block(), " + row]);\n  }\n");
    } else if (s_.lanes > 1) {
      out_ += text("#pragma unroll\n  for (int d = ", std::min(s_.lanes, 32) / 2,
                   "; d > 0; d >>= 1) s = arr_join(s, arr_shuffle_down(s, d));\n");
      if (s_.lanes > 32) {
        out_ += text("  __shared__ S parts[", block_threads / 32, "];\n  __syncthreads();\n",
                     "  if (lane % 32 == 0) parts[threadIdx.x / 32] = s;\n  __syncthreads();\n",
                     "  if (lane == 0) {\n    for (int l = 1; l < ", s_.lanes / 32,
                     "; ++l) s = arr_join(s, parts[row * ", s_.lanes / 32, " + l]);\n  }\n");
      }
    }
    out_ += "  return s;\n}\n";
  }

  void kernel() {
    out_ += text("extern \"C\" __global__ void __launch_bounds__(", block_threads,
                 ") arr_kernel(const __grid_constant__ arr_params p) {\n");
    bool by_rows = s_.kind == ReduceShape::rows;
    out_ += text("  const int lane = threadIdx.x ", by_rows ? "%" : "/", " ",
                 by_rows ? s_.lanes : rows_per_block(), ", row = threadIdx.x ", by_rows ? "/" : "%", " ",
                 by_rows ? s_.lanes : rows_per_block(), ";\n");
    out_ += text("  const long long outputs = (long long)p.w[0], reduced = (long long)p.w[1];\n",
                 "  const long long o = (long long)blockIdx.x * ", rows_per_block(), " + row;\n",
                 "  S s = arr_identity();\n  char* to = (char*)p.w[", reduce_output_word, "];\n",
                 "  if (o < outputs) {\n");
    out_ += print_split("    ", "o", "k", s_.kept, w_.extent, s_.wide);
    out_ += text("    to += ", print_offset("k", s_.kept, w_.output, s_.wide), ";\n");
    elements();
    out_ += "  }\n  s = arr_together(s, row, lane);\n";
    if (s_.split) parts();
    if (s_.initial) out_ += text("  s = arr_join(arr_word<A>(p.w + ", reduce_initial_word, "), s);\n");
    out_ +=
        text("  typedef typename arr_real_of<A>::type R;\n  const R correction = (R)arr_word<double>(p.w + ",
             reduce_correction_word, ");\n",
             "  if (lane == 0 && o < outputs) *(O*)to = arr_end(s, (R)reduced, correction);\n}\n");
  }

  // This thread's share of the elements of output o.
  void elements() {
    const char* index_type = s_.wide ? "long long" : "int";
    for (size_t k = 0; k < s_.access.size(); ++k) {
      const char* type = cpp_type(map_.inputs[k]);
      if (s_.access[k] == Access::immediate) {
        out_ += text("    const ", type, " s", k, " = arr_word<", type, ">(p.w + ", w_.pointer[k], ");\n");
      } else {
        out_ += text("    const char* q", k, " = (const char*)p.w[", w_.pointer[k], "] + ",
                     print_offset("k", s_.kept, w_.stride[k], s_.wide), ";\n");
      }
    }
    out_ += text("    const ", index_type, " step = ", s_.lanes * s_.vector, ";\n");
    if (s_.split) {
      out_ += text("    const ", index_type, " part = (", index_type, ")p.w[", reduce_part_word,
                   "], from = (", index_type, ")blockIdx.y * part;\n    const ", index_type,
                   " end = (long long)from + part < reduced ? from + part : (", index_type, ")reduced;\n");
    } else {
      out_ += text("    const ", index_type, " from = 0, end = (", index_type, ")reduced;\n");
    }
    out_ += text("    ", index_type, " j = from + lane * ", s_.vector, ";\n");
    // The bound, not j, stops short of a step that would overflow.
    if (rounds()) return in_blocks(index_type);
    if (state()) out_ += "    S::Run run = S::start();\n";
    loop(index_type, "end", "s");
    if (state()) out_ += "    s = S::of(run);\n";
  }
  // Rounding errors grow with what a thread adds one after the other: blocks of so many elements, and groups
  // of so many blocks, begin with nothing.
  bool rounds() const { return !index() && (is_floating(acc_) || is_complex(acc_)); }
  void in_blocks(const char* index_type) {
    constexpr int32_t elements = 128, blocks = 64;
    out_ += text("    S near = arr_identity();\n    int joined = 0;\n    while (j < end) {\n      const ",
                 index_type, " block = step * ", elements / s_.vector,
                 ", stop = end - j > block ? j + block : end;\n",
                 state() ? "      S::Run run = S::start();\n" : "      S some = arr_identity();\n");
    loop(index_type, "stop", "some");
    out_ += text("      near = arr_join(near, ", state() ? "S::of(run)" : "some",
                 ");\n      if (++joined == ", blocks,
                 ") {\n        s = arr_join(s, near);\n        near = arr_identity();\n"
                 "        joined = 0;\n      }\n    }\n    s = arr_join(s, near);\n");
  }
  // This thread's elements from j on, before `stop`, into the state `to`.
  void loop(const char* index_type, const char* stop, const char* to) {
    if (s_.vector == 1) {
      out_ += text("#pragma unroll 4\n    for (; j < ", stop, "; j += step) {\n",
                   print_split("      ", "j", "j", s_.reduced, w_.extent + 2 * s_.kept, s_.wide),
                   "      A m;\n      ", element("m"));
      push("m", to);
    } else {
      packs(index_type, stop, to);
    }
    out_ += "    }\n";
  }

  // The map of the element at the indices j0, j1 ... into `to`.
  std::string element(const char* to) const {
    std::string args;
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] == Access::immediate) {
        args += text("s", k, ", ");
      } else {
        args += text("*(const ", cpp_type(map_.inputs[k]), "*)(q", k, " + (",
                     print_offset("j", s_.reduced, w_.stride[k] + s_.kept, s_.wide), ")), ");
      }
    }
    return text("arr_body(", args, to, ");\n");
  }
  // Joins it to the state `to`.
  void push(const char* m, const char* to) {
    if (index()) {
      out_ += text("      S e;\n      e.value = ", m,
                   ";\n      e.at = ", print_offset("j", s_.reduced, w_.steps, true),
                   ";\n      s = arr_join(s, e);\n");
    } else {
      out_ += state() ? text("      S::push(run, ", m, ");\n")
                      : text("      ", to, " = arr_join(", to, ", ", m, ");\n");
    }
  }
  // Each time `vector` elements side by side, by one access where all are there and aligned; the order in
  // which they are joined is the same.
  void packs(const char* index_type, const char* stop, const char* to) {
    const int32_t v = s_.vector;
    std::string args;
    out_ += text("#pragma unroll 2\n    for (; j < ", stop, "; j += step) {\n      A m[", v,
                 "];\n      const int have = end - j < ", v, " ? (int)(end - j) : ", v,
                 ";\n      if (have == ", v, ") {\n");
    for (size_t k = 0; k < s_.access.size(); ++k) {
      const char* type = cpp_type(map_.inputs[k]);
      if (s_.access[k] == Access::contiguous) {
        const std::string pack = text("arr_pack<", type, ", ", v, ">");
        out_ += text("        const ", pack, " a", k, " = *(const ", pack, "*)((const ", type, "*)q", k,
                     " + j);\n");
        args += text("a", k, ".v[k], ");
      } else if (s_.access[k] == Access::immediate) {
        args += text("s", k, ", ");
      } else {
        args += text("*(const ", type, "*)(q", k, " + (j + k) * (", index_type, ")p.w[",
                     w_.stride[k] + s_.kept, "]), ");
      }
    }
    out_ += text("#pragma unroll\n        for (int k = 0; k < ", v, "; ++k) arr_body(", args,
                 "m[k]);\n      } else {\n#pragma unroll\n        for (int k = 0; k < ", v,
                 "; ++k) {\n          const ", index_type, " j0 = j + k;\n          if (k < have) ",
                 element("m[k]"), "        }\n      }\n#pragma unroll\n      for (int k = 0; k < ", v,
                 "; ++k) {\n      if (k >= have) break;\n");
    if (index()) out_ += text("      const ", index_type, " j0 = j + k;\n");
    push("m[k]", to);
    out_ += "      }\n";
  }

  // Blocks that share outputs leave their results in memory; the last one to finish joins them in order.
  void parts() {
    out_ += text("  S* partial = (S*)p.w[", reduce_partial_word, "];\n",
                 "  unsigned* ticket = (unsigned*)p.w[", reduce_ticket_word, "] + blockIdx.x;\n",
                 "  if (lane == 0 && o < outputs) partial[blockIdx.y * outputs + o] = s;\n"
                 "  __threadfence();\n  __shared__ int last;\n  __syncthreads();\n"
                 "  if (threadIdx.x == 0) last = atomicAdd(ticket, 1u) == gridDim.y - 1;\n"
                 "  __syncthreads();\n  if (!last) return;\n  __threadfence();\n"
                 "  s = arr_identity();\n  if (o < outputs) {\n#pragma unroll 1\n    for (unsigned t = lane; "
                 "t < gridDim.y; t += ",
                 s_.lanes, ") s = arr_join(s, partial[t * outputs + o]);\n  }\n",
                 "  s = arr_together(s, row, lane);\n  if (threadIdx.x == 0) *ticket = 0;\n");
  }

  const ReductionInfo& r_;
  const Program& map_;
  const DType acc_, out_type_;
  const ReduceShape& s_;
  const Words w_;
  std::string out_;
};

}  // namespace

std::string print_joins(const ReductionInfo& r, DType acc, DType out) {
  return text("typedef ", cpp_type(acc), " A;\ntypedef ", cpp_type(out), " O;\ntypedef ", r.state,
              " S;\nARR_FN S arr_identity() { return S(", r.identity,
              "); }\nARR_FN S arr_join(S a, S b) { return ", r.combine,
              "; }\nARR_FN O arr_end(S a, typename arr_real_of<A>::type n, typename "
              "arr_real_of<A>::type p) { return arr_cast<O>(",
              r.finish, "); }\n");
}

Words reduce_words(const ReduceShape& s) {
  Words w;
  w.extent = reduce_initial_word + 2;
  w.output = w.extent + 2 * (s.kept + s.reduced);
  w.steps = w.output + s.kept;
  w.count = w.steps + s.reduced;
  w.add_operands(s.access, s.kept + s.reduced);
  return w;
}

std::string print_reduce(const ReductionInfo& r, const Program& map, DType acc, DType out,
                         const ReduceShape& s) {
  return Reduce(r, map, acc, out, s).print();
}

}  // namespace arr::cuda
