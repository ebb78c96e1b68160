// SPDX-License-Identifier: MIT
// Sequences of element-wise steps and reductions over rows as one kernel. A thread reads its elements of a
// row once and keeps them, and what steps make of them, in registers; reductions leave their result with all
// threads of the row. The order of combination follows from the row's length alone.
#include <algorithm>

#include "cuda/codegen/print.h"

namespace arr::cuda {

namespace {

constexpr int32_t result = 1;

class Sequence {
 public:
  Sequence(const BlocksCall& c, const BlocksShape& s) : c_(c), s_(s), w_(blocks_words(c, s)) {}

  std::string print() {
    for (int32_t i = 0; i < c_.nsteps; ++i) functions(i);
    out_ += text("struct arr_params { unsigned long long w[", w_.count, "]; };\n",
                 "extern \"C\" __global__ void __launch_bounds__(", block_threads,
                 ") arr_kernel(const __grid_constant__ arr_params p) {\n");
    places();
    load();
    for (int32_t i = 0; i < c_.nsteps; ++i) {
      const BlocksCall::Step& step = c_.steps.at(static_cast<size_t>(i));
      if (step.reduction != nullptr) {
        reduce(i, step);
      } else if (kind_of(c_, step.to) == BlocksArray::row) {
        out_ += text("  ", type(step.to), " r", int{step.to}, ";\n  ", call(i, text("r", int{step.to})));
      } else {
        map(i, step);
      }
    }
    store();
    return out_ + "}\n";
  }

 private:
  const char* type(int32_t k) const { return cpp_type(dtype_of(c_, k)); }
  size_t at(int32_t k) const { return static_cast<size_t>(k); }
  int32_t rows_per_block() const { return block_threads / s_.lanes; }

  // Each step's in a namespace of its own: they have the same names.
  void functions(int32_t i) {
    const BlocksCall::Step& step = c_.steps.at(at(i));
    out_ += text("namespace arr_step", i, " {\n", print_body(*step.program));
    if (step.reduction != nullptr) {
      const DType d = dtype_of(c_, step.to);
      out_ += print_joins(*step.reduction, d, d);
      together();
    }
    out_ += "}\n";
  }

  // Joins what the threads of a row hold and gives all of them the result. Every thread of the block calls
  // it.
  void together() {
    out_ += text("ARR_FN S arr_together(S s) {\n#pragma unroll\n  for (int d = ", std::min(s_.lanes, 32) / 2,
                 "; d > 0; d >>= 1) s = arr_join(s, arr_shuffle_down(s, d));\n");
    if (s_.lanes > 32) {
      out_ += text("  __shared__ S parts[", block_threads / 32, "];\n  __syncthreads();\n",
                   "  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = s;\n  __syncthreads();\n",
                   "  s = parts[0];\n#pragma unroll\n  for (int l = 1; l < ", block_threads / 32,
                   "; ++l) s = arr_join(s, parts[l]);\n  return s;\n}\n");
    } else {
      out_ +=
          text("  return arr_shuffle(s, (int)(threadIdx.x % 32 / ", s_.lanes, " * ", s_.lanes, "));\n}\n");
    }
  }

  void places() {
    out_ += text("  const int lane = threadIdx.x % ", s_.lanes, ", n = (int)p.w[1];\n",
                 "  const long long o = (long long)blockIdx.x * ", rows_per_block(), " + threadIdx.x / ",
                 s_.lanes, ";\n  const bool here = o < (long long)p.w[0];\n");
    for (int32_t k = 0; k < c_.narrays; ++k) {
      const int32_t word = w_.pointer[at(k)];
      if (kind_of(c_, k) == BlocksArray::memory) out_ += text("  char* q", k, " = (char*)p.w[", word, "];\n");
      if (kind_of(c_, k) == BlocksArray::immediate)
        out_ += text("  const ", type(k), " s", k, " = arr_word<", type(k), ">(p.w + ", word, ");\n");
    }
    if (s_.kept == 0) return;
    out_ += text("  if (here) {\n", print_split("    ", "o", "k", s_.kept, w_.extent, s_.wide));
    for (const int32_t k : {0, result})
      out_ += text("    q", k, " += ", print_offset("k", s_.kept, w_.stride[at(k)], s_.wide), ";\n");
    out_ += "  }\n";
  }

  // Goes through the thread's elements: `what` with e, its number, and j, its place in the row.
  std::string each(const std::string& what) const {
    const std::string v = std::to_string(s_.vector);
    return text("#pragma unroll\n  for (int e = 0; e < ", s_.each, "; ++e) {\n    const int j = (e / ", v,
                " * ", s_.lanes, " + lane) * ", v, " + e % ", v, ";\n    if (here",
                s_.full ? "" : " && j < n", ") {\n", what, "    }\n  }\n");
  }
  // The same by packs, all of whose elements are in the row or none.
  std::string each_pack(const std::string& what) const {
    return text("#pragma unroll\n  for (int e = 0; e < ", s_.each, "; e += ", s_.vector,
                ") {\n    const int j = (e / ", s_.vector, " * ", s_.lanes, " + lane) * ", s_.vector,
                ";\n    if (here", s_.full ? "" : " && j < n", ") {\n", what, "    }\n  }\n");
  }
  std::string pack(int32_t k) const { return text("arr_pack<", type(k), ", ", s_.vector, ">"); }
  // Where the element j of the row is in an array in memory.
  std::string element(int32_t k) const {
    return text("*(", type(k), "*)(q", k, " + (",
                print_offset("j", s_.reduced, w_.stride[at(k)] + s_.kept, s_.wide), "))");
  }
  std::string split_j() const {
    return print_split("      ", "j", "j", s_.reduced, w_.extent + 2 * s_.kept, s_.wide);
  }

  void load() {
    out_ += text("  ", type(0), " e0[", s_.each, "];\n");
    if (s_.vector == 1) {
      out_ += each(text(split_j(), "      e0[e] = ", element(0), ";\n"));
      return;
    }
    out_ += each_pack(text("      const ", pack(0), " a = *(const ", pack(0), "*)((const ", type(0),
                           "*)q0 + j);\n", "#pragma unroll\n      for (int v = 0; v < ", s_.vector,
                           "; ++v) e0[e + v] = a.v[v];\n"));
  }
  void store() {
    const std::string e = text("e", result);
    if (s_.vector == 1) {
      out_ += each(text(split_j(), "      ", element(result), " = ", e, "[e];\n"));
      return;
    }
    out_ += each_pack(text("      ", pack(result), " a;\n#pragma unroll\n      for (int v = 0; v < ",
                           s_.vector, "; ++v) a.v[v] = ", e, "[e + v];\n      *(", pack(result), "*)((",
                           type(result), "*)q", result, " + j) = a;\n"));
  }

  // The program of step i for the element e, into `to`.
  std::string call(int32_t i, const std::string& to) const {
    const BlocksCall::Step& step = c_.steps.at(at(i));
    std::string args;
    for (size_t k = 0; k < step.program->inputs.size(); ++k) {
      const int32_t a = step.in.at(k);
      const BlocksArray kind = kind_of(c_, a);
      args += kind == BlocksArray::immediate ? text("s", a, ", ")
              : kind == BlocksArray::row     ? text("r", a, ", ")
                                             : text("e", a, "[e], ");
    }
    return text("arr_step", i, "::arr_body(", args, to, ");\n");
  }

  void map(int32_t i, const BlocksCall::Step& step) {
    const std::string to = text("e", int{step.to});
    out_ +=
        text("  ", type(step.to), " ", to, "[", s_.each, "];\n", each(text("      ", call(i, to + "[e]"))));
  }

  void reduce(int32_t i, const BlocksCall::Step& step) {
    const std::string own = text("arr_step", i, "::"), r = text("r", int{step.to}),
                      state = text("t", int{step.to});
    out_ += text("  ", own, "S ", state, " = ", own, "arr_identity();\n",
                 each(text("      ", own, "A m;\n      ", call(i, "m"), "      ", state, " = ", own,
                           "arr_join(", state, ", m);\n")),
                 "  const ", type(step.to), " ", r, " = ", own, "arr_end(", own, "arr_together(", state,
                 "), (arr_real_of<", own, "A>::type)n, (arr_real_of<", own, "A>::type)0);\n");
  }

  const BlocksCall& c_;
  const BlocksShape& s_;
  const Words w_;
  std::string out_;
};

}  // namespace

BlocksArray kind_of(const BlocksCall& c, int32_t k) {
  const Operand& o = c.arrays[k];
  if (o.data != nullptr) return BlocksArray::memory;
  if (o.value.dtype != DType::none) return BlocksArray::immediate;
  return c.locals.at(static_cast<size_t>(k)).per_row ? BlocksArray::row : BlocksArray::elements;
}

DType dtype_of(const BlocksCall& c, int32_t k) {
  if (c.arrays[k].data == nullptr && c.arrays[k].value.dtype != DType::none) return c.arrays[k].value.dtype;
  for (int32_t i = 0; i < c.nsteps; ++i) {
    const BlocksCall::Step& step = c.steps.at(static_cast<size_t>(i));
    const Program& p = *step.program;
    if (step.to == k) return p.nodes[static_cast<size_t>(p.outputs[0])].dtype;
    for (size_t in = 0; in < p.inputs.size(); ++in)
      if (step.in.at(in) == k) return p.inputs[in];
  }
  fail(ARR_E_INTERNAL, "a sequence of steps without array ", k);
}

Words blocks_words(const BlocksCall& c, const BlocksShape& s) {
  Words w;
  w.extent = 2;
  w.count = w.extent + 2 * (s.kept + s.reduced);
  for (int32_t k = 0; k < c.narrays; ++k) {
    w.pointer.push_back(w.count);
    w.stride.push_back(w.count + 1);
    const BlocksArray kind = kind_of(c, k);
    w.count += kind == BlocksArray::memory ? 1 + s.kept + s.reduced : kind == BlocksArray::immediate ? 2 : 0;
  }
  return w;
}

std::string print_blocks(const BlocksCall& c, const BlocksShape& s) { return Sequence(c, s).print(); }

}  // namespace arr::cuda
