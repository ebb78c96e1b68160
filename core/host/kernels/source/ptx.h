// SPDX-License-Identifier: MIT
// Inline PTX as C++: the text of an asm statement's template becomes statements over the functions of
// shim/ptx.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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
  std::string code;       // one statement of C++ without its semicolon
  std::string refused;    // the instruction that has no host form; empty where there is none
  bool syncs = false;     // it has a barrier or a warp function
  bool half = false;      // it converts numbers of 16 bits
  bool matrices = false;  // it has products of warps, or loads for them
};

PtxTranslation translate_ptx(const PtxStatement& statement);

// One instruction, split up.
struct PtxInstruction {
  std::string name;                    // "mad" of mad.lo.u32
  std::vector<std::string> modifiers;  // "lo", "u32"
  std::vector<std::string> operands;   // "%0", "{%1, %2}", "[%3+4]", "p"
  [[nodiscard]] bool has(std::string_view modifier) const;
};

// C++ names of the registers of a statement, and the needs of its instructions.
class PtxRegisters {
 public:
  void add(const std::string& name, std::string variable) { names_.push_back({name, std::move(variable)}); }
  // The variable of a register; empty for a name that is none.
  [[nodiscard]] std::string find(const std::string& name) const;
  bool carries = false;  // add.cc or the like has set the carry
  bool syncs = false, half = false, matrices = false;

 private:
  struct Name {
    std::string ptx, variable;
  };
  std::vector<Name> names_;
};

// C++ statements for the instruction; empty where it has no host form.
std::string ptx_instruction(const PtxInstruction& instruction, PtxRegisters& registers);

// The C++ type of PTX's "u32"; empty where it is none.
std::string ptx_type(std::string_view type);

}  // namespace arr::host_kernels
