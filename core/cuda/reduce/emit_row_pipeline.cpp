// SPDX-License-Identifier: MIT
// The lines around the kernel of row_pipeline.cuh: constants, and the steps as a function of a thread's
// elements.
#include "cuda/reduce/emit_row_pipeline.h"

#include "cuda/reduce/emit_reduce.h"
#include "row_pipeline_kernel.h"
#include "row_pipeline_reduce.h"

namespace arr::cuda {

namespace {

constexpr int32_t input = 0, result = 1;  // the arrays in memory

// The text of the steps.
class Steps {
 public:
  explicit Steps(const BlocksCall& c, const Words& w) : c_(c), w_(w) {}

  std::string emit() {
    for (int32_t i = 0; i < c_.nsteps; ++i) functions(i);
    out_ += text("ARR_FN void arr_steps(const arr_params& p, const arr_row& row, const In (&e", input,
                 ")[each], Out (&e", result, ")[each]) {\n");
    for (int32_t k = 0; k < c_.narrays; ++k) {
      if (kind_of(c_, k) != BlocksArray::immediate) continue;
      out_ +=
          text("  const ", type(k), " s", k, " = arr_word<", type(k), ">(p.w + ", w_.pointer[at(k)], ");\n");
    }
    for (int32_t i = 0; i < c_.nsteps; ++i) {
      const BlocksCall::Step& step = c_.steps.at(at(i));
      if (step.reduction != nullptr) {
        reduce(i, step);
      } else if (kind_of(c_, step.to) == BlocksArray::row) {
        out_ +=
            text("  ", type(step.to), " r", int{step.to}, ";\n  ", call(i, text("r", int{step.to})), "\n");
      } else {
        map(i, step);
      }
    }
    return out_ + "}\n";
  }

 private:
  const char* type(int32_t k) const { return cpp_type(dtype_of(c_, k)); }
  static size_t at(int32_t k) { return static_cast<size_t>(k); }

  // The steps have the same names, so each is in a separate namespace.
  void functions(int32_t i) {
    const BlocksCall::Step& step = c_.steps.at(at(i));
    out_ += text("namespace arr_step", i, " {\n", emit_program(*step.program));
    if (step.reduction != nullptr) {
      const DType d = dtype_of(c_, step.to);
      out_ += emit_reduction(*step.reduction, d, d);
      out_.append(row_pipeline_reduce, row_pipeline_reduce_size);
    }
    out_ += "}\n";
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
    return text("arr_step", i, "::arr_body(", args, to, ");");
  }

  void map(int32_t i, const BlocksCall::Step& step) {
    const std::string to = text("e", int{step.to});
    if (step.to != result) out_ += text("  ", type(step.to), " ", to, "[each];\n");
    out_ += text("  arr_each(row, [&](int e) { ", call(i, to + "[e]"), " });\n");
  }

  void reduce(int32_t i, const BlocksCall::Step& step) {
    const std::string own = text("arr_step", i, "::"), state = text("t", int{step.to});
    out_ += text("  ", own, "S ", state, " = ", own, "arr_identity();\n  arr_each(row, [&](int e) {\n    ",
                 own, "A m;\n    ", call(i, "m"), "\n    ", state, " = ", own, "arr_join(", state,
                 ", m);\n  });\n  const ", type(step.to), " r", int{step.to}, " = ", own, "arr_end(", own,
                 "arr_block_reduce<lanes>(", state, "), (arr_real_of<", own,
                 "A>::type)row.length, (arr_real_of<", own, "A>::type)0);\n");
  }

  const BlocksCall& c_;
  const Words& w_;
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

std::string emit_blocks(const BlocksCall& c, const BlocksShape& s) {
  const Words w = blocks_words(c, s);
  return Prologue()
      .parameters(w.count, s.wide)
      .type("In", dtype_of(c, input))
      .type("Out", dtype_of(c, result))
      .flag("full", s.full)
      .constant("kept", s.kept)
      .constant("reduced", s.reduced)
      .constant("lanes", s.lanes)
      .constant("each", s.each)
      .constant("vector", s.vector)
      .constant("extent_word", w.extent)
      .constant("reduced_extent_word", w.extent + 2 * s.kept)
      .constant("in_word", w.pointer[input])
      .constant("in_stride_word", w.stride[input])
      .constant("out_word", w.pointer[result])
      .constant("out_stride_word", w.stride[result])
      .with({{row_pipeline_kernel, row_pipeline_kernel_size}, Steps(c, w).emit()});
}

}  // namespace arr::cuda
