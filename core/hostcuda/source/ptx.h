// SPDX-License-Identifier: MIT
// Inline PTX as C++: the text of an asm statement's template becomes statements over the functions of
// shim/ptx.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hostcuda/ptx/instruction.h"

namespace arr::host_kernels {

struct PtxOperand {
  std::string constraint;  // without quotes: "=r"
  std::string expression;  // C++ of the user
};

struct PtxStatement {
  std::string text;  // the template, its literals joined and decoded
  std::vector<PtxOperand> outputs, inputs;
};

struct PtxTranslation {
  std::string code;                    // one statement of C++ without its semicolon
  std::string refused;                 // the instruction that has no host form; empty where there is none
  bool syncs = false;                  // it has a barrier or a warp function
  bool half = false;                   // it converts numbers of 16 bits
  std::set<ShimComponent> components;  // besides ptx
};

PtxTranslation translate_ptx(const PtxStatement& statement);

}  // namespace arr::host_kernels
