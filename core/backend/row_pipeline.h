// SPDX-License-Identifier: MIT
// Element-wise calls and reductions over one space, processed block by block, so that intermediate results
// stay in the cache.
#pragma once

#include <array>

#include "backend/reduce.h"

namespace arr {

// for each step: its array = program(its inputs), or the reduction of that over the dimensions from `nkept`
// on. The first `nkept` dimensions enumerate independent rows, so a backend may run all steps for some rows,
// then for others. Dimensions are merged over all arrays, and none has extent 0.
struct BlocksCall {
  static constexpr int32_t max_arrays = 16, max_steps = 8;
  // An intermediate array, in memory of the backend.
  struct Local {
    DType dtype = DType::none;  // none: an array of the caller
    bool per_row = false;       // true: one element per row; false: one per element of the space
  };
  struct Step {
    const Program* program = nullptr;          // with one output
    const ReductionInfo* reduction = nullptr;  // a reduction of kind VALUE; nullptr: the step is element-wise
    std::array<int8_t, Program::max_inputs> in{};  // indices of its input arrays
    int8_t to = 0;  // index of its result array; local and per row if the step is a reduction
    friend bool operator==(const Step&, const Step&) = default;
  };
  int32_t ndim = 0, nkept = 0;
  const int64_t* shape = nullptr;
  int32_t narrays = 0;
  const Operand* arrays = nullptr;  // array 0 is memory; one without data and value is local
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
  // The caller's arrays, each once, even if several steps use it.
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
