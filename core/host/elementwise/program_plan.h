// SPDX-License-Identifier: MIT
// The host's form of a program: a list of contiguous loops over numbered registers. It is made once per
// program and stored with the program.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "expr/program.h"
#include "host/elementwise/parallel.h"
#include "host/loops/table.h"

namespace arr::host {

// Registers are blocks of elements: the program's inputs, then its outputs, then intermediate values.
struct Plan : Program::Attachment {
  struct Step {
    LoopFn loop = nullptr;
    int16_t in[3] = {0, 0, 0};
    int16_t nin = 0;
    int16_t out = 0;
    int16_t log2 = -1;    // of a load: log2 of the element size; in[0] is the base address, in[1] the offsets
    int16_t factor = -1;  // of a load: the input by which offsets are multiplied, if it is one number
    int16_t factored = 0;                    // in that case the register of the offsets before the product
    bool multiplies = false;                 // read only by such a load: omitted if the factor is one number
    bool offsets = false;                    // used only for offsets
    bool few = false, few_factored = false;  // of a load: no other step uses its offsets
  };
  struct Output {
    int16_t source = 0;  // the register of the result: a separate one, an input's or another output's
    int32_t made = -1;   // the step that computes it
  };
  std::vector<Step> steps;
  std::vector<Output> outputs;
  std::vector<int32_t> last_read;    // per input: the last step that reads it; -1: none
  std::vector<int16_t> item, log2;   // bytes of an element, per input and output
  int16_t inputs = 0, operands = 0;  // operands: inputs and outputs
  int16_t temporaries = 0;
  uint32_t tables = 0;         // bit k: input k is a look-up vector
  uint32_t load_bases = 0;     // bit k: input k is the base address of a load
  uint32_t offset_inputs = 0;  // bit k: input k is used only for offsets
  int16_t widest = 1;          // bytes of the largest element of any register
  int32_t weight = 1;          // approximate time per element, in units of one addition in memory
  bool short_blocks = true;    // every loop is fast on blocks of `short_block` elements
  bool single = false;         // a single loop from the inputs to one output
  bool copy = false;           // no loop: the output is the input
  bool product = false;        // a single loop: the output is the product of the two inputs

  // Number of elements that one thread computes as fast as several; fewer if an element takes longer.
  [[nodiscard]] int64_t serial_elements() const {
    constexpr int64_t min_elements = 2048;
    const int64_t bytes = copy ? 2 * serial_bytes : serial_bytes;  // a copy is as fast as the caches
    return std::max(min_elements, bytes / widest / weight - 1);
  }
};

const Plan& plan_of(const Program& program);

// The loop of a conversion; casts are ops like any other.
LoopFn cast_loop(DType from, DType to);

}  // namespace arr::host
