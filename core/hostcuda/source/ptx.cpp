// SPDX-License-Identifier: MIT
#include "hostcuda/source/ptx.h"

#include <cctype>
#include <unordered_map>

#include "base/error.h"
#include "hostcuda/host_kernels.h"
#include "hostcuda/ptx/module.h"
#include "hostcuda/ptx/names.h"

namespace arr::host_kernels {
namespace {

// "%%p" of a template with operands is %p.
std::string without_doubled(std::string_view s) {
  std::string out;
  for (size_t i = 0; i < s.size(); i++) {
    if (s[i] == '%' && i + 1 < s.size() && s[i + 1] == '%') i++;
    out.push_back(s[i]);
  }
  out.push_back(';');  // the last instruction may lack it
  return out;
}

// The C++ type of a constraint's letter; empty where the host has none.
std::string type_of_constraint(std::string_view constraint) {
  switch (constraint.empty() ? 0 : constraint.back()) {
    case 'h':
      return "unsigned short";
    case 'r':
      return "unsigned";
    case 'l':
    case 'n':
      return "unsigned long long";
    case 'f':
      return "float";
    case 'd':
      return "double";
    default:
      return "";
  }
}

// Operands, which all of the statement sees, and the registers of its scopes.
class AsmNames final : public PtxNames {
 public:
  explicit AsmNames(const ptx::Function& f) : f_(f), used_(f.scopes.size()) {}

  void enter(int scope) { scope_ = scope; }
  void add_operand(std::string variable) {
    const std::string name = text("%", operands_.size());
    operands_[name] = std::move(variable);
  }
  std::string find(const std::string& name) override { return look_up(name).variable; }
  // The widths of operands are not known, and those of registers not checked.
  int bits(const std::string& name) override {
    const PtxType* type = look_up(name).type;
    return type != nullptr && type->group == 'p' ? 1 : 0;
  }
  [[nodiscard]] int label(const std::string& name) const { return ptx::label_of(f_, scope_, name); }
  [[nodiscard]] const std::string& declarations() const { return declared_; }

 private:
  struct Register {
    std::string variable;
    const PtxType* type = nullptr;
  };

  Register look_up(const std::string& name) {
    for (int s = scope_; s >= 0; s = f_.scopes[static_cast<size_t>(s)].parent) {
      auto& used = used_[static_cast<size_t>(s)];
      if (const auto at = used.find(name); at != used.end()) return at->second;
      const ptx::Registers* r = ptx::registers_of(f_.scopes[static_cast<size_t>(s)], name);
      if (r == nullptr) continue;
      Register found{text("arr_register_", count_++), r->type};
      declared_ += ptx_type(r->type->name) + " " + found.variable + "{}; ";
      return used[name] = std::move(found);
    }
    const auto at = operands_.find(name);
    return at == operands_.end() ? Register{} : Register{at->second, nullptr};
  }

  const ptx::Function& f_;
  std::vector<std::unordered_map<std::string, Register>> used_;
  std::unordered_map<std::string, std::string> operands_;
  std::string declared_;
  int scope_ = 0, count_ = 0;
};

class Statement {
 public:
  Statement(const PtxStatement& given, const ptx::Function& f) : given_(given), f_(f), names_(f) {}

  // Labels are those of the C++ block, so that a statement may stand twice in a function.
  PtxTranslation run() {
    if (operands() && body()) {
      out_.code = "do { ";
      for (size_t k = 0; k < labels_.size(); k++) out_.code += text("__label__ arr_label_", k, "; ");
      out_.code += "[[maybe_unused]] unsigned arr_carry = 0, arr_lost = 0; " + operands_ +
                   names_.declarations() + code_ + last_ + "} while (false)";
    }
    out_.syncs = names_.syncs;
    out_.half = names_.half;
    out_.components = names_.components;
    return std::move(out_);
  }

 private:
  bool refuse(std::string what) {
    out_.refused = std::move(what);
    return false;
  }

  // A variable for each; those written go back to the user's expressions at the end.
  bool operands() {
    size_t number = 0;
    for (const PtxOperand& o : given_.outputs) {
      const std::string type = type_of_constraint(o.constraint), name = text("arr_", number++);
      if (type.empty()) return refuse("operand " + o.constraint);
      operands_ += type + " " + name;
      operands_ += o.constraint[0] == '+' ? " = arr_ptx::as<" + type + ">(" + o.expression + "); " : "{}; ";
      last_ += "arr_ptx::put(" + o.expression + ", " + name + "); ";
      names_.add_operand(name);
    }
    for (const PtxOperand& o : given_.inputs) {
      std::string name = text("arr_", number++);
      if (!o.constraint.empty() && std::isdigit(static_cast<unsigned char>(o.constraint[0])) != 0) {
        name = "arr_" + o.constraint;  // the same register as an output
        operands_ += "arr_ptx::set(" + name + ", " + o.expression + "); ";
      } else {
        const std::string type = type_of_constraint(o.constraint);
        if (type.empty()) return refuse("operand " + o.constraint);
        operands_ +=
            "[[maybe_unused]] " + type + " " + name + " = arr_ptx::as<" + type + ">(" + o.expression + "); ";
      }
      names_.add_operand(name);
    }
    return true;
  }

  bool body() {
    for (size_t at = 0; at < f_.statements.size(); at++) {
      const ptx::Statement& s = f_.statements[at];
      names_.enter(s.scope);
      if (s.label >= 0) {
        code_ += text("arr_label_", labels_.size(), ": ; ");
        labels_.push_back(at);
        continue;
      }
      std::string guard;
      if (!s.guard.empty()) {
        const std::string p = names_.find(s.guard);
        if (p.empty()) return refuse(text("@", s.guard));
        guard = std::string("if (") + (s.negated ? "!" : "") + p + ") ";
      }
      const std::string code =
          s.instruction.name == "bra" ? branch(s, at) : ptx_instruction(s.instruction, names_);
      if (code.empty()) return refuse(s.instruction.spelled());
      code_ += guard + "{ " + code + " } ";
    }
    return true;
  }

  // Back it is a loop; see may_wait() in compile/build.cpp.
  std::string branch(const ptx::Statement& s, size_t at) {
    const int to = s.instruction.operands.size() == 1 ? names_.label(s.instruction.operands[0]) : -1;
    if (to < 0) return "";
    std::string jump = text("goto arr_label_", to, ";");
    const auto known = static_cast<size_t>(to);
    if (known >= labels_.size()) return jump;
    for (size_t k = labels_[known]; k < at; k++)
      if (waits(f_.statements[k].instruction)) {
        names_.syncs = true;
        return "/* while volatile */ __nanosleep(0u); " + jump;
      }
    return "/* while */ " + jump;
  }

  // A loop with such an access may wait for another thread of the block, which has to go on.
  static bool waits(const PtxInstruction& i) {
    return i.polls() || (i.name == "atom" && (i.has("cas") || i.has("exch")));
  }

  const PtxStatement& given_;
  const ptx::Function& f_;
  AsmNames names_;
  std::vector<size_t> labels_;  // where each stands
  std::string operands_, code_, last_;
  PtxTranslation out_;
};

}  // namespace

PtxTranslation translate_ptx(const PtxStatement& statement) {
  try {
    const std::string body = without_doubled(statement.text);
    const ptx::Function f = ptx::parse_statements(body, "PTX");
    return Statement(statement, f).run();
  } catch (const CompileError& error) {
    PtxTranslation out;
    out.refused = error.what();
    return out;
  }
}

}  // namespace arr::host_kernels
