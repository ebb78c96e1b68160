// SPDX-License-Identifier: MIT
// Element-wise calls and reductions over one space, done block by block: what one leaves to the next stays in
// the cache.
#pragma once

#include <array>

#include "backend/reduce.h"

namespace arr {

// for each step: its array = program(its inputs), or reduction of that over the dimensions from `nkept` on.
// The first `nkept` dimensions count through independent rows, so that a backend may do all steps for some
// rows, then for others. Dimensions are collapsed over all arrays, and none has extent 0.
struct BlocksCall {
  static constexpr int32_t max_arrays = 16, max_steps = 8;
  // An array that only later steps read, in memory of the backend's.
  struct Local {
    DType dtype = DType::none;  // none: the array is the caller's
    bool per_row = false;       // one element for each row, else one for each element of the space
  };
  struct Step {
    const Program* program = nullptr;              // of one output
    const ReductionInfo* reduction = nullptr;      // of kind VALUE; nullptr: the step is element-wise
    std::array<int8_t, Program::max_inputs> in{};  // arrays
    int8_t to = 0;  // an array; local and per row where the step is a reduction
    friend bool operator==(const Step&, const Step&) = default;
  };
  int32_t ndim = 0, nkept = 0;
  const int64_t* shape = nullptr;
  int32_t narrays = 0;
  const Operand* arrays = nullptr;  // array 0 is memory; what has neither data nor a value is local
  std::array<Local, max_arrays> locals{};
  int32_t nsteps = 0;
  std::array<Step, max_steps> steps{};
};

template <class Visitor>
void visit(Visitor& v, BlocksCall& c) {
  v.name([&] {
    std::string name;
    for (int32_t k = 0; k < c.nsteps; ++k) {
      const BlocksCall::Step& s = c.steps.at(static_cast<size_t>(k));
      const std::string formula = describe(*s.program);
      name += k == 0 ? "" : "; ";
      name += s.reduction == nullptr ? formula : text(s.reduction->name, "(", formula, ")");
    }
    return name;
  });
  v.shape(c.shape, c.ndim);
  v.operands(c.arrays, c.narrays, c.ndim);
  // The caller's arrays, each once, however many steps use it.
  std::array<DType, BlocksCall::max_arrays> used{};
  for (int32_t k = 0; k < c.nsteps; ++k) {
    const BlocksCall::Step& s = c.steps.at(static_cast<size_t>(k));
    const Program& p = *s.program;
    for (size_t i = 0; i < p.inputs.size(); ++i) used.at(static_cast<size_t>(s.in.at(i))) = p.inputs[i];
    used.at(static_cast<size_t>(s.to)) = p.nodes[static_cast<size_t>(p.outputs[0])].dtype;
  }
  for (int32_t k = 0; k < c.narrays; ++k) {
    const DType d = used.at(static_cast<size_t>(k));
    if (d != DType::none) v.memory(c.arrays[k], d, c.ndim, c.shape);
  }
}

}  // namespace arr
