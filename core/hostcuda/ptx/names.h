// SPDX-License-Identifier: MIT
// The names that a function of a module of PTX sees: registers, variables, labels.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "hostcuda/ptx/instruction.h"
#include "hostcuda/ptx/module.h"

namespace arr::host_kernels::ptx {

// The function of a name that has a body, in whatever module, and may be called; null: there is none.
const Function* callable(const Module& module, const std::string& name);

// Numbers of addresses in shared memory: variables of the modules and of functions that kernels call, then
// those of a kernel, which lie over those of other kernels, then what compiled cooperative groups use for
// themselves (%reserved_smem_...), then the launch's own memory.
struct SharedLayout {
  static constexpr uint64_t reserved_bytes = 1024;
  uint64_t bytes = 0, align = 16;  // of all variables of known size and of what is reserved
  uint64_t reserved = 0;           // the number of what is reserved
  bool has_reserved = false;
  bool dynamic = false;
  std::unordered_map<const Variable*, uint64_t> numbers;
};
SharedLayout lay_out_shared(const std::vector<Module>& modules);

// The name of a variable that a function has for itself.
std::string in_code(const Function& f, size_t variable);

// The registers of a scope that a name belongs to; null: none.
const Registers* registers_of(const Scope& scope, const std::string& name);
// The number of a label that a scope of a function sees; -1: there is none.
int label_of(const Function& f, int scope, const std::string& name);

class FunctionNames final : public PtxNames {
 public:
  FunctionNames(const Module& module, const Function& function, const SharedLayout& shared)
      : module_(module),
        function_(function),
        shared_(shared),
        used_(function.scopes.size()),
        grouped_(is_long(function)) {}

  void enter(int scope) { scope_ = scope; }
  std::string find(const std::string& name) override;
  int bits(const std::string& name) override;
  const PtxSymbol* symbol(const std::string& name) override;
  [[nodiscard]] std::string from_generic(const std::string& address) const override;
  [[nodiscard]] std::string from_shared(const std::string& number) const override;
  [[nodiscard]] std::string to_shared(const std::string& address) const override;
  [[nodiscard]] bool checked() const override { return true; }

  // The variable of the function; null for a name that is not a variable.
  const Variable* variable(const std::string& name);
  // The number of a label; -1: there is none.
  [[nodiscard]] int label(const std::string& name) const { return label_of(function_, scope_, name); }
  [[nodiscard]] const std::vector<std::string>* targets(const std::string& name) const;
  [[nodiscard]] const Prototype* prototype(const std::string& name) const;
  // Functions whose addresses symbol() has given.
  [[nodiscard]] const std::vector<std::string>& addressed() const { return addressed_; }
  // Declarations of the registers that find() has met.
  [[nodiscard]] std::string declarations() const;

 private:
  struct Register {
    std::string variable;
    const PtxType* type;
  };
  const Register* register_of(const std::string& name);
  const Register* add(int scope, const std::string& name, const PtxType* type);
  static std::string end_of_group(int group);
  template <class F>
  void scopes(F f) const;

  const Module& module_;
  const Function& function_;
  const SharedLayout& shared_;
  std::vector<std::unordered_map<std::string, Register>> used_;
  // g++ looks at each variable of a function again for each call of a template, which takes most of the time
  // where there are thousands of both: so the registers of long functions are members of structs.
  static constexpr int per_group = 64;
  bool grouped_;
  std::string declared_;
  std::vector<std::string> addressed_;
  std::unordered_map<std::string, PtxSymbol> symbols_;  // by their C++
  int scope_ = 0, count_ = 0;
};

}  // namespace arr::host_kernels::ptx
