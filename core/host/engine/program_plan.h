// SPDX-License-Identifier: MIT
// The host's form of a program: a list of contiguous loops over numbered registers. It is made once per
// program and stored with it.
#pragma once

#include <memory>
#include <vector>

#include "expr/program.h"
#include "host/loops/table.h"

namespace arr::host {

// Registers are blocks of elements: the program's inputs, then its outputs, then intermediate values.
struct Plan : Program::Attachment {
  struct Step {
    LoopFn loop = nullptr;
    int16_t in[3] = {0, 0, 0};
    int16_t nin = 0;
    int16_t out = 0;
  };
  struct Output {
    int16_t source = 0;  // the register with the result: its own, an input's or another output's
    int32_t made = -1;   // the step that fills it
  };
  std::vector<Step> steps;
  std::vector<Output> outputs;
  std::vector<int32_t> last_read;    // per input: the last step that reads it; -1: none
  std::vector<int16_t> item, log2;   // bytes of an element, per input and output
  int16_t inputs = 0, operands = 0;  // operands: inputs and outputs
  int16_t temporaries = 0;
  uint32_t tables = 0;  // bit k: input k is a look-up vector
  int16_t widest = 1;   // bytes of the largest element of any register
  bool single = false;  // one loop from the inputs to one output
  bool copy = false;    // no loop: the output is the input
};

const Plan& plan_of(const Program& program);

// The loop of a conversion; casts are ops like any other.
LoopFn cast_loop(DType from, DType to);

}  // namespace arr::host
