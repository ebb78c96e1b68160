// SPDX-License-Identifier: MIT
// Modules of PTX that use each other's functions and variables. PTX ISA: "Linking Directives".
#include <algorithm>
#include <string>
#include <unordered_map>

#include "hostcuda/ptx/module.h"

namespace arr::host_kernels::ptx {
namespace {

// "ptx_" and the name: no name of the shim and no word of C++.
std::string in_code(const std::string& name) {
  std::string out = "ptx_" + name;
  std::replace(out.begin(), out.end(), '%', '$');
  return out;
}

// Another definition of the name counts.
void yield_to(Function& f, const Function& other) {
  f.defined = false;
  f.definition = &other;
  f.variables.clear(), f.statements.clear(), f.parameters.clear(), f.results.clear();
}
void yield_to(Variable& v, const Variable& other) {
  v.external = true;
  v.definition = &other;
}

template <class T>
struct Visible {
  T* definition;
  const Module* module;
};
template <class T>
using VisibleNames = std::unordered_map<std::string, Visible<T>>;

// `of`: "function" or "variable".
template <class T>
void define(VisibleNames<T>& names, T& one, const Module& module, const char* of) {
  const auto [at, is_new] = names.try_emplace(one.name, Visible<T>{&one, &module});
  if (is_new) return;
  Visible<T>& before = at->second;
  if (one.weak) return yield_to(one, *before.definition);
  if (!before.definition->weak)
    reject(module.file, one.line,
           std::string(of) + " '" + one.name + "' is defined in " + before.module->file + " too");
  yield_to(*before.definition, one);
  before = {&one, &module};
}

std::vector<uint64_t> sizes(const Function& f) {
  std::vector<uint64_t> out;
  for (const auto* list : {&f.results, &f.parameters}) {
    for (const size_t i : *list) out.push_back(f.variables[i].bytes);
    out.push_back(0);
  }
  return out;
}

}  // namespace

void link(std::vector<Module>& modules) {
  VisibleNames<Function> functions;
  VisibleNames<Variable> variables;
  for (size_t k = 0; k < modules.size(); k++) {
    Module& m = modules[k];
    const std::string own = modules.size() > 1 ? "$$" + std::to_string(k) : "";
    for (Function& f : m.functions) {
      f.code = in_code(f.name) + (f.visible ? "" : own);
      if (f.defined && f.visible) define(functions, f, m, "function");
    }
    for (Variable& v : m.variables) {
      v.code = in_code(v.name) + (v.visible ? "" : own);
      if (!v.external && v.visible && v.space == PtxSpace::global) define(variables, v, m, "variable");
    }
  }
  for (Module& m : modules) {
    for (Function& f : m.functions) {
      if (const auto at = functions.find(f.name); !f.defined && at != functions.end()) {
        const bool declared = f.definition == nullptr;
        f.definition = at->second.definition;
        if (declared && sizes(f) != sizes(*f.definition))
          reject(m.file, f.line,
                 "function '" + f.name + "' has other parameters than in " + at->second.module->file);
      }
    }
    for (Variable& v : m.variables) {
      if (const auto at = variables.find(v.name);
          v.external && v.space == PtxSpace::global && at != variables.end())
        v.definition = at->second.definition;
    }
  }
}

}  // namespace arr::host_kernels::ptx
