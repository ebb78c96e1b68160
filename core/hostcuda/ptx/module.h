// SPDX-License-Identifier: MIT
// A module of PTX, as its text says it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hostcuda/ptx/instruction.h"
#include "hostcuda/ptx/table.h"

namespace arr::host_kernels::ptx {

// An address in the initial value of a variable.
struct Address {
  uint64_t offset;
  std::string symbol;
  int64_t addend;
  unsigned line;
};

struct Variable {
  std::string name;
  std::string code;                      // its name in C++; see link()
  const Variable* definition = nullptr;  // of an extern one, in another module
  bool visible = false, weak = false;    // to other modules; one of several counts
  const PtxType* type = nullptr;
  PtxSpace space = PtxSpace::none;
  uint64_t bytes = 0, align = 1;
  bool external = false, unsized = false;
  std::string data;  // the initial value's bytes; shorter than the variable where the rest is zero
  std::vector<Address> addresses;
  unsigned line = 0;
};

struct Registers {
  const PtxType* type;
  uint64_t count;  // of %r<4>: %r0 to %r3; 0: one, of this very name
};

// The sizes of the results and parameters of functions that are called through a register.
struct Prototype {
  std::vector<uint64_t> results, parameters;
};

// Names between braces. The first of a function has its parameters.
struct Scope {
  int parent = -1;
  std::unordered_map<std::string, Registers> registers;
  std::unordered_map<std::string, size_t> variables;                  // of the function's
  std::unordered_map<std::string, int> labels;                        // their numbers in the function
  std::unordered_map<std::string, std::vector<std::string>> targets;  // .branchtargets
  std::unordered_map<std::string, Prototype> prototypes;              // .callprototype
};

// The line of a program that .loc names; file number 0: no line.
struct SourceLine {
  uint64_t file = 0, line = 0;
};

struct Statement {
  unsigned line = 0;
  SourceLine source;
  int scope = 0;
  int label = -1;     // that stands here; then there is no instruction
  std::string guard;  // the predicate that decides whether it is executed
  bool negated = false;
  PtxInstruction instruction;
};

struct Function {
  std::string name;
  std::string code;                      // as a variable's
  const Function* definition = nullptr;  // of one without a body, in another module
  bool visible = false, weak = false;
  bool kernel = false, defined = false;
  unsigned line = 0;
  std::vector<size_t> results, parameters;  // among the variables
  std::vector<Variable> variables;
  std::vector<Scope> scopes;
  std::vector<Statement> statements;
};

// Compilers take more than their share of time for such a function.
constexpr size_t long_function = 2000;
inline bool is_long(const Function& f) { return f.statements.size() > long_function; }

struct Module {
  std::string file;                                        // what messages call it
  std::unordered_map<uint64_t, std::string> source_files;  // .file
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::unordered_map<std::string, size_t> variable_names, function_names;
};

// Throws CompileError, with the line, for a text that is no module.
Module parse(std::string_view text, std::string_view file);
// Names functions and variables in C++, and finds the definitions of those that other modules define.
void link(std::vector<Module>& modules);
// Statements alone, as an asm statement has them.
Function parse_statements(std::string_view text, std::string_view file);

// An error in a module: ARR_E_COMPILE, or ARR_E_UNSUPPORTED for what has no host form.
[[noreturn]] void reject(std::string_view file, unsigned line, const std::string& what);
[[noreturn]] void refuse(std::string_view file, unsigned line, const std::string& what);

}  // namespace arr::host_kernels::ptx
