// SPDX-License-Identifier: MIT
// Element-wise programs over arrays.
#pragma once

#include "backend/error.h"
#include "backend/operand.h"
#include "backend/visit.h"

namespace arr {

// for i in shape: outputs[i] = program(inputs[i]). Dimensions are merged: none has extent 0 or 1 (ndim 0 is
// one element), slowest first. An output may be the memory of an input with the same strides, and overlaps
// nothing else. Casts to the outputs' dtypes are part of the program.
struct ElementwiseCall {
  const Program* program = nullptr;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;
  const Operand* operands = nullptr;  // the program's inputs, then its outputs
  bool nontemporal = false;           // the results are not read soon
};

// The elements that a program's inputs read; tables are not counted.
template <class Visitor>
void visit_inputs(Visitor& v, const Program& p, const Operand* operands, int32_t ndim, const int64_t* shape) {
  for (size_t k = 0; k < p.inputs.size(); ++k) {
    if (p.inputs[k] != DType::table_) v.memory(operands[k], p.inputs[k], ndim, shape);
  }
}

template <class Visitor>
void visit(Visitor& v, ElementwiseCall& c) {
  const Program& p = *c.program;
  const size_t inputs = p.inputs.size();
  v.name([&] { return describe(p); });
  v.shape(c.shape, c.ndim);
  v.operands(c.operands, static_cast<int64_t>(inputs + p.outputs.size()), c.ndim);
  visit_inputs(v, p, c.operands, c.ndim, c.shape);
  for (size_t k = 0; k < p.outputs.size(); ++k) {
    const DType d = p.nodes[static_cast<size_t>(p.outputs[k])].dtype;
    v.memory(c.operands[inputs + k], d, c.ndim, c.shape);
  }
}

struct ElementwiseApi {
  int32_t (*elementwise)(int32_t device, const ElementwiseCall*, void* stream, BackendError*);
  // The source that would be compiled for a call, of which only shapes, strides and alignments are read.
  // Works without a device. Null if programs are not compiled.
  int32_t (*text)(const ElementwiseCall*, std::string* text, BackendError*);
};

}  // namespace arr
