// SPDX-License-Identifier: MIT
// Operands of a PTX instruction as C++.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/kernels/source/ptx.h"

namespace arr::host_kernels {

class PtxOperands {
 public:
  PtxOperands(const PtxInstruction& i, PtxRegisters& r) : i_(i), r_(r) {}

  [[nodiscard]] size_t count() const { return i_.operands.size(); }
  // The operand as a value of the type; remembers where there is none.
  std::string value(size_t at, const std::string& type);
  std::string value(const std::string& o, const std::string& type);
  std::string number(const std::string& o, const std::string& type);
  // A statement that sets the register.
  std::string set(size_t at, const std::string& code);
  std::string set(const std::string& o, const std::string& code);
  // The registers of {a, b}, or the one that stands alone.
  static std::vector<std::string> parts(const std::string& o);
  // The address of [a+4] in the instruction's space.
  std::string pointer(size_t at);
  std::string bad() {
    bad_ = true;
    return "0";
  }
  // The code; empty where an operand had no host form.
  std::string done(std::string code) { return bad_ ? std::string() : std::move(code); }

 protected:
  const PtxInstruction& i_;
  PtxRegisters& r_;
  bool bad_ = false;
};

// mma, ldmatrix, stmatrix and movmatrix.
std::string ptx_matrices(const PtxInstruction& instruction, PtxRegisters& registers);

}  // namespace arr::host_kernels
