// SPDX-License-Identifier: MIT
#include "hostcuda/ptx/translation.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "hostcuda/ptx/function_text.h"
#include "hostcuda/ptx/module.h"
#include "hostcuda/ptx/names.h"

namespace arr::host_kernels {
namespace ptx {
namespace {

// "name" for a #line directive.
std::string quoted(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  }
  return out + "\"";
}

class Translation {
 public:
  explicit Translation(std::vector<Module> modules) : modules_(std::move(modules)) {}

  Source run() {
    link(modules_);
    shared_ = lay_out_shared(modules_);
    out_.prefix = "ptx_";
    out_.components = {ShimComponent::ptx, ShimComponent::ptx_module};
    begin(modules_[0]);
    shared_memory();
    // Declared before any initial value names it.
    for (const Module& m : modules_) declare(m);
    for (const Module& m : modules_) define(m);
    find_syncs();
    out_.syncs =
        std::any_of(out_.kernels.begin(), out_.kernels.end(), [](const SourceKernel& k) { return k.syncs; });
    return std::move(out_);
  }

 private:
  // Text of a module follows.
  void begin(const Module& m) {
    if (m_ == &m) return;
    m_ = &m;
    out_.text += "#line 1 " + quoted(m.file) + "\n";
  }

  void declare(const Module& m) {
    begin(m);
    for (const Variable& v : m.variables) variable(v, v.code, true);
    for (const Function& f : m.functions)
      if (f.defined) out_.text.append(head_of(f)).append(";\n");
  }

  void define(const Module& m) {
    begin(m);
    for (const Variable& v : m.variables) variable(v, v.code, false);
    for (const Function& f : m.functions) static_variables(f);
    for (const Function& f : m.functions)
      if (f.defined) add(f);
  }

  void shared_memory() {
    const std::string n = std::to_string(shared_.bytes), type = "unsigned long long";
    const bool fixed = shared_.bytes != 0;
    const std::string own = "((char*)ptx_shared + number)",
                      launch = "((char*)arr_dynamic + (number - " + n + "ull))";
    if (fixed)
      out_.text += "static __shared__ __align__(" + std::to_string(shared_.align) +
                   ") unsigned char ptx_shared[" + n + "];\n";
    if (shared_.has_reserved)
      out_.text += text("constexpr unsigned ptx_reserved = ", shared_.reserved,
                        ", ptx_reserved_bytes = ", SharedLayout::reserved_bytes, ";\n");
    const std::string at = fixed && shared_.dynamic ? "number < " + n + "ull ? " + own + " : " + launch
                           : fixed                  ? own
                                                    : launch;
    out_.text += "ARR_INLINE char* ptx_shared_at(" + type + " number) { return " + at + "; }\n";
    const std::string in_own = "address - (" + type + ")ptx_shared",
                      in_launch = "address - (" + type + ")arr_dynamic + " + n + "ull";
    const std::string number = fixed && shared_.dynamic
                                   ? in_own + " < " + n + "ull ? " + in_own + " : " + in_launch
                               : fixed ? in_own
                                       : in_launch;
    out_.text +=
        "ARR_INLINE " + type + " ptx_shared_number(" + type + " address) { return " + number + "; }\n";
  }

  // True if the type is one of numbers: then no pointer is searched for in them.
  static bool is_plain(const Variable& v) {
    return v.addresses.empty() && (v.type->bits < 64 || v.type->group == 'd') &&
           (v.align < 8 || v.type->bits > 8);
  }

  void variable(const Variable& v, const std::string& name, bool declaration) {
    if (v.space != PtxSpace::global || v.definition != nullptr || (v.external && !declaration)) return;
    const std::string bytes = std::to_string(std::max<uint64_t>(v.bytes, 1));
    const bool words = !v.addresses.empty();
    const std::string type =
        words ? "arr_ptx::words<" + std::to_string((v.bytes + 7) / 8) + ">" : "arr_ptx::bytes<" + bytes + ">";
    const std::string declared =
        is_plain(v) ? "unsigned char " + name + "[" + bytes + "]" : type + " " + name;
    if (declaration) {
      if (v.external) refuse(m_->file, v.line, "variable '" + v.name + "', which is extern,");
      out_.text += "extern " + declared + ";\n";
      return;
    }
    out_.text += "__align__(" + std::to_string(v.align) + ") " + declared + " = ";
    if (words)
      initial_words(v);
    else
      initial_bytes(v);
    out_.text += ";\n";
    out_.variables.push_back(name.substr(out_.prefix.size()));
  }

  void initial_bytes(const Variable& v) {
    std::string all = is_plain(v) ? "{" : "{{";
    for (const char c : v.data) all += std::to_string(static_cast<unsigned char>(c)) + ",";
    out_.text += all + (is_plain(v) ? "}" : "}}");
  }
  // The C++ name of what an initial value has the address of.
  const std::string& addressed(const Address& a) {
    if (const Function* f = callable(*m_, a.symbol); f != nullptr) {
      callers_[f->code].emplace_back(any_function);
      return f->code;
    }
    const auto found = m_->variable_names.find(a.symbol);
    if (found == m_->variable_names.end() || m_->variables[found->second].space != PtxSpace::global)
      refuse(m_->file, a.line, "the address of '" + a.symbol + "' as an initial value");
    const Variable& v = m_->variables[found->second];
    return v.definition != nullptr ? v.definition->code : v.code;
  }
  void initial_words(const Variable& v) {
    std::string all = "{{";
    size_t next = 0;
    for (uint64_t at = 0; at < v.data.size(); at += 8) {
      if (next < v.addresses.size() && v.addresses[next].offset == at) {
        const Address& a = v.addresses[next++];
        all += "(unsigned long long)&" + addressed(a) + " + " + std::to_string(a.addend) + ",";
        continue;
      }
      uint64_t word = 0;
      for (uint64_t i = 0; i < 8 && at + i < v.data.size(); i++)
        word |= uint64_t{static_cast<unsigned char>(v.data[at + i])} << (8 * i);
      all += std::to_string(word) + "ull,";
    }
    out_.text += all + "}}";
  }

  void static_variables(const Function& f) {
    for (size_t i = 0; i < f.variables.size(); i++) {
      variable(f.variables[i], in_code(f, i), true);
      variable(f.variables[i], in_code(f, i), false);
    }
  }

  void add(const Function& f) {
    FunctionText written = text_of(*m_, f, shared_);
    out_.text += written.code;
    out_.half = out_.bfloat = out_.half || written.half;
    if (written.half) out_.components.insert(ShimComponent::ptx_half);
    out_.components.insert(written.components.begin(), written.components.end());
    out_.heap = out_.heap || written.heap;
    out_.long_functions = out_.long_functions || is_long(f);
    if (f.kernel) out_.kernels.push_back({f.name, false, false});
    if (written.syncs) syncing_.insert(f.code);
    for (const std::string& callee : written.calls) callers_[callee].push_back(f.code);
    for (const std::string& function : written.addressed) callers_[function].emplace_back(any_function);
  }

  // Kernels that may reach a barrier or a warp function.
  void find_syncs() {
    std::vector<std::string> open(syncing_.begin(), syncing_.end());
    while (!open.empty()) {
      const std::string name = std::move(open.back());
      open.pop_back();
      for (const std::string& caller : callers_[name])
        if (syncing_.insert(caller).second) open.push_back(caller);
    }
    for (SourceKernel& k : out_.kernels) k.syncs = syncing_.count(out_.prefix + k.name) != 0;
  }

  std::vector<Module> modules_;
  const Module* m_ = nullptr;  // that is being written
  SharedLayout shared_;
  Source out_;
  std::set<std::string> syncing_;
  std::unordered_map<std::string, std::vector<std::string>> callers_;
};

}  // namespace
}  // namespace ptx

Source read_ptx(std::span<const SourceUnit> texts) {
  std::vector<ptx::Module> modules;
  for (const SourceUnit& unit : texts) modules.push_back(ptx::parse(unit.text, unit.name));
  return ptx::Translation(std::move(modules)).run();
}

}  // namespace arr::host_kernels
