// SPDX-License-Identifier: MIT
// One instruction of PTX as C++ statements over the functions of shim/ptx.h: of an asm statement, and of a
// module of PTX.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "hostcuda/source/shim_components.h"

namespace arr::host_kernels {

// One instruction, split up.
struct PtxInstruction {
  std::string name;                    // "mad" of mad.lo.u32
  std::vector<std::string> modifiers;  // "lo", "u32"
  std::vector<std::string> operands;   // "%0", "{%1, %2}", "[%3+4]", "p"
  [[nodiscard]] bool has(std::string_view modifier) const;
  [[nodiscard]] std::string spelled() const;  // "mad.lo.u32", cut after 80 characters
  // A load that a loop may repeat until another thread has written.
  [[nodiscard]] bool polls() const;
};

enum class PtxSpace { none, global, shared, local, param, code };

// A variable in memory.
struct PtxSymbol {
  std::string pointer;  // C++ of its address, a char*; of shared memory: of its number
  PtxSpace space;
  uint64_t bytes;  // 0: not known
};

// C++ names of a text's registers and variables, and the needs of its instructions. Addresses are those of an
// asm statement.
class PtxNames {
 public:
  PtxNames() = default;
  PtxNames(const PtxNames&) = delete;
  PtxNames& operator=(const PtxNames&) = delete;
  virtual ~PtxNames() = default;
  // The variable of a register; empty for a name that is not a register.
  virtual std::string find(const std::string& name) = 0;
  // The register's width, 1 of a predicate; 0 where it is not checked.
  virtual int bits(const std::string& name) = 0;
  virtual const PtxSymbol* symbol(const std::string& name);
  // An address in generic memory as a pointer.
  [[nodiscard]] virtual std::string from_generic(const std::string& address) const;
  // Between numbers in shared memory, as unsigned long long, and addresses.
  [[nodiscard]] virtual std::string from_shared(const std::string& number) const;
  [[nodiscard]] virtual std::string to_shared(const std::string& address) const;
  [[nodiscard]] virtual bool checked() const { return false; }  // widths and names are those of a module

  bool carries = false;  // add.cc or the like has set the carry
  bool syncs = false, half = false;
  bool stack = false;                  // memory that lasts until the function returns
  std::set<ShimComponent> components;  // besides ptx
  std::string why;     // of a refusal: what is wrong; empty where the instruction has no host form
  std::string absent;  // the special register that has none
};

// C++ statements for the instruction; empty where it has no host form.
std::string ptx_instruction(const PtxInstruction& instruction, PtxNames& names);

// The C++ type of PTX's "u32", and its width in bits, 1 for a predicate; empty and 0 if there is no such
// type.
std::string ptx_type(std::string_view type);
int ptx_bits(std::string_view type);

}  // namespace arr::host_kernels
