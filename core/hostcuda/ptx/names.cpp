// SPDX-License-Identifier: MIT
#include "hostcuda/ptx/names.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.h"

namespace arr::host_kernels::ptx {
namespace {

uint64_t aligned(uint64_t at, uint64_t to) { return (at + to - 1) / to * to; }

constexpr uint64_t max_static = 49152;

bool uses_reserved(const Module& module) {
  for (const Function& f : module.functions)
    for (const Statement& s : f.statements)
      for (const std::string& o : s.instruction.operands)
        if (o.compare(0, 14, "%reserved_smem") == 0) return true;
  return false;
}

}  // namespace

std::string in_code(const Function& f, size_t variable) { return f.code + "$" + std::to_string(variable); }

const Function* callable(const Module& module, const std::string& name) {
  const auto at = module.function_names.find(name);
  if (at == module.function_names.end()) return nullptr;
  const Function& here = module.functions[at->second];
  const Function& f = here.definition != nullptr ? *here.definition : here;
  return f.defined && !f.kernel ? &f : nullptr;
}

SharedLayout lay_out_shared(const std::vector<Module>& modules) {
  SharedLayout out;
  const auto lay_out = [&](const Module& module, const Variable& v, uint64_t& at) {
    if (v.space != PtxSpace::shared || v.unsized) return;
    at = aligned(at, v.align);
    out.align = std::max(out.align, v.align);
    out.numbers[&v] = at;
    at += v.bytes;
    if (at > max_static)
      reject(module.file, v.line,
             "'" + v.name + "' ends at " + std::to_string(at) +
                 " bytes of static shared memory, the max is " + std::to_string(max_static));
  };
  uint64_t common = 0;
  for (const Module& m : modules) {
    for (const Variable& v : m.variables) lay_out(m, v, common);
    for (const Function& f : m.functions)
      for (const Variable& v : f.variables)
        if (!f.kernel) lay_out(m, v, common);
  }
  out.bytes = common;
  for (const Module& m : modules)
    for (const Function& f : m.functions) {
      if (!f.kernel) continue;
      uint64_t at = common;
      for (const Variable& v : f.variables) lay_out(m, v, at);
      out.bytes = std::max(out.bytes, at);
    }
  out.bytes = aligned(out.bytes, 16);
  if (std::any_of(modules.begin(), modules.end(), uses_reserved)) {
    out.has_reserved = true;
    out.reserved = out.bytes;
    out.bytes += SharedLayout::reserved_bytes;
  }
  for (const Module& m : modules)
    for (const Variable& v : m.variables)
      if (v.space == PtxSpace::shared && v.unsized) {
        out.dynamic = true;
        out.numbers[&v] = out.bytes;
      }
  return out;
}

// Calls `f` for each scope from the inner one out until it returns true.
template <class F>
void FunctionNames::scopes(F f) const {
  for (int s = scope_; s >= 0; s = function_.scopes[static_cast<size_t>(s)].parent)
    if (f(s, function_.scopes[static_cast<size_t>(s)])) return;
}

// %r12 is the thirteenth of %r<20>.
const Registers* registers_of(const Scope& scope, const std::string& name) {
  const auto exact = scope.registers.find(name);
  if (exact != scope.registers.end()) return exact->second.count == 0 ? &exact->second : nullptr;
  const size_t digits = name.find_last_not_of("0123456789") + 1;
  for (size_t at = digits; at < name.size(); at++) {  // the base may end with digits
    const auto base = scope.registers.find(name.substr(0, at));
    if (base == scope.registers.end() || (name[at] == '0' && at + 1 < name.size())) continue;
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(name.data() + at, name.data() + name.size(), number);
    if (error == std::errc() && number < base->second.count) return &base->second;
  }
  return nullptr;
}

const FunctionNames::Register* FunctionNames::add(int scope, const std::string& name, const PtxType* type) {
  const int number = count_++, group = number / per_group;
  Register r{arr::text("r", number), type};
  const std::string one = ptx_type(type->name) + " " + r.variable;
  if (!grouped_) {
    declared_ += one + "{}; ";
    if (count_ % 8 == 0) declared_ += "\n";
  } else {
    if (number % per_group == 0) declared_ += end_of_group(group - 1) + "struct { ";
    declared_ += one + "; ";
    r.variable = arr::text("g", group, ".", r.variable);
  }
  return &(used_[static_cast<size_t>(scope)][name] = std::move(r));
}

std::string FunctionNames::end_of_group(int group) {
  return group < 0 ? "" : arr::text("} g", group, "{};\n");
}

const FunctionNames::Register* FunctionNames::register_of(const std::string& name) {
  const Register* found = nullptr;
  scopes([&](int s, const Scope& scope) {
    auto& used = used_[static_cast<size_t>(s)];
    const auto at = used.find(name);
    if (at != used.end()) {
      found = &at->second;
    } else if (const Registers* r = registers_of(scope, name); r != nullptr) {
      found = add(s, name, r->type);
    }
    return found != nullptr || scope.variables.count(name) != 0;
  });
  return found;
}

std::string FunctionNames::find(const std::string& name) {
  const Register* r = register_of(name);
  return r != nullptr ? r->variable : "";
}

int FunctionNames::bits(const std::string& name) {
  const Register* r = register_of(name);
  return r != nullptr ? r->type->bits : 0;
}

const Variable* FunctionNames::variable(const std::string& name) {
  const Variable* found = nullptr;
  scopes([&](int, const Scope& scope) {
    const auto at = scope.variables.find(name);
    if (at != scope.variables.end()) found = &function_.variables[at->second];
    return found != nullptr;
  });
  return found;
}

const PtxSymbol* FunctionNames::symbol(const std::string& name) {
  const Variable* v = variable(name);
  if (const Function* f = callable(module_, name); v == nullptr && f != nullptr) {
    addressed_.push_back(f->code);
    return &(symbols_[f->code] = {"(char*)&" + f->code, PtxSpace::code, 0});
  }
  std::string code;
  if (v != nullptr) {
    code = in_code(function_, static_cast<size_t>(v - function_.variables.data()));
  } else {
    const auto at = module_.variable_names.find(name);
    if (at == module_.variable_names.end()) return nullptr;
    v = &module_.variables[at->second];
    if (v->definition != nullptr) v = v->definition;
    code = v->code;
  }
  const auto known = symbols_.find(code);
  if (known != symbols_.end()) return &known->second;
  PtxSymbol s{"(char*)&" + code, v->space, v->bytes};
  if (v->space == PtxSpace::shared) s.pointer = std::to_string(shared_.numbers.at(v)) + "ull";
  return &(symbols_[code] = std::move(s));
}

std::string FunctionNames::from_generic(const std::string& address) const {
  return "arr_ptx::at(" + address + ")";
}
std::string FunctionNames::from_shared(const std::string& number) const {
  return "ptx_shared_at(" + number + ")";
}
std::string FunctionNames::to_shared(const std::string& address) const {
  return "ptx_shared_number(" + address + ")";
}

int label_of(const Function& f, int scope, const std::string& name) {
  for (int s = scope; s >= 0; s = f.scopes[static_cast<size_t>(s)].parent) {
    const auto& labels = f.scopes[static_cast<size_t>(s)].labels;
    if (const auto at = labels.find(name); at != labels.end()) return at->second;
  }
  return -1;
}

const std::vector<std::string>* FunctionNames::targets(const std::string& name) const {
  const std::vector<std::string>* found = nullptr;
  scopes([&](int, const Scope& scope) {
    const auto at = scope.targets.find(name);
    if (at != scope.targets.end()) found = &at->second;
    return found != nullptr;
  });
  return found;
}

const Prototype* FunctionNames::prototype(const std::string& name) const {
  const Prototype* found = nullptr;
  scopes([&](int, const Scope& scope) {
    const auto at = scope.prototypes.find(name);
    if (at != scope.prototypes.end()) found = &at->second;
    return found != nullptr;
  });
  return found;
}

std::string FunctionNames::declarations() const {
  return grouped_ && count_ > 0 ? declared_ + end_of_group((count_ - 1) / per_group) : declared_;
}

}  // namespace arr::host_kernels::ptx
