// SPDX-License-Identifier: MIT
#include "hostcuda/ptx/function_text.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "hostcuda/ptx/source_lines.h"
#include "hostcuda/ptx/table.h"

namespace arr::host_kernels::ptx {
namespace {

std::string bytes_type(uint64_t bytes) {
  return "arr_ptx::bytes<" + std::to_string(std::max<uint64_t>(bytes, 1)) + ">";
}

// A function of the device's runtime that compiled CUDA C++ calls: sizes of its result and parameters.
struct RuntimeFunction {
  std::string_view name;
  uint64_t result;
  std::vector<uint64_t> parameters;
  std::string_view code;  // $0 is where the result goes, $1 the first parameter's value
};
const std::vector<RuntimeFunction>& runtime_functions() {
  static const auto* list = new std::vector<RuntimeFunction>{
      {"vprintf", 4, {8, 8}, "$0 = (unsigned)arr_ptx::print((const char*)$1, (const char*)$2)"},
      {"malloc", 8, {8}, "$0 = (unsigned long long)malloc((arr_size_t)$1)"},
      {"free", 0, {8}, "free((void*)$1)"},
      {"__assertfail", 0, {8, 8, 4, 8, 8}, "arr_fail(arr_ptx::assertion((const char*)$1), (unsigned)$3)"}};
  return *list;
}

class Text {
 public:
  Text(const Module& m, const Function& f, const SharedLayout& shared) : m_(m), f_(f), names_(m, f, shared) {}

  FunctionText run() {
    for (const Statement& s : f_.statements) {
      line(s);
      names_.enter(s.scope);
      if (s.label >= 0) {
        body_ += arr::text("L", s.label, ": ;\n");
        labels_.push_back(static_cast<size_t>(&s - f_.statements.data()));
      } else {
        statement(s);
      }
      before_ = &s;
    }
    out_.code = arr::text("\n", head_of(f_), " {\n", locals(), names_.declarations(),
                          names_.stack ? "arr_ptx::stack arr_stack; " : "",
                          "[[maybe_unused]] unsigned arr_carry = 0, arr_lost = 0;\n", body_, "}\n");
    out_.syncs = out_.syncs || names_.syncs;
    out_.half = names_.half;
    out_.heap = out_.heap || names_.stack;
    out_.components = names_.components;
    out_.addressed = names_.addressed();
    return std::move(out_);
  }

 private:
  void line(const Statement& s) {
    body_ += arr::text("#line ", s.line, "\n");
    const auto file = m_.source_files.find(s.source.file);
    if (s.source.line != 0 && file != m_.source_files.end())
      body_ += source_line_comment(file->second, s.source.line);
  }

  // The variables that each thread has for itself.
  std::string locals() {
    std::string all;
    for (size_t i = 0; i < f_.variables.size(); i++) {
      const Variable& v = f_.variables[i];
      const auto among = [&](const std::vector<size_t>& list) {
        return std::find(list.begin(), list.end(), i) != list.end();
      };
      if ((v.space != PtxSpace::local && v.space != PtxSpace::param) || among(f_.parameters) ||
          among(f_.results))
        continue;
      all += "__align__(" + std::to_string(std::max<uint64_t>(v.align, 8)) + ") " + bytes_type(v.bytes) +
             " " + in_code(f_, i) + ";\n";
    }
    return all;
  }

  void statement(const Statement& s) {
    std::string guard;
    if (!s.guard.empty()) {
      const std::string p = names_.find(s.guard);
      if (p.empty() || names_.bits(s.guard) != 1)
        reject(m_.file, s.line, "'" + s.guard + "' is no predicate");
      guard = std::string("if (") + (s.negated ? "!" : "") + p + ") ";
    }
    body_ += guard + "{ " + code(s) + " }\n";
  }

  std::string code(const Statement& s) {
    if (const Flow* flow = find_flow(s.instruction.name)) return (this->*flow->write)(s);
    std::string written = ptx_instruction(s.instruction, names_);
    if (!written.empty()) return written;
    if (!names_.absent.empty()) refuse(m_.file, s.line, "special register '" + names_.absent + "'");
    if (names_.why.empty()) refuse(m_.file, s.line, "instruction '" + s.instruction.spelled() + "'");
    reject(m_.file, s.line, "instruction '" + s.instruction.spelled() + "': " + names_.why);
  }

  // Instructions of control, with their section of the document; see find_family() in instructions.cpp for
  // others.
  struct Flow {
    std::string_view name, section;
    std::string (Text::*write)(const Statement&);
  };
  static const Flow* find_flow(std::string_view name) {
    using F = Text;
    static constexpr Flow flows[] = {{"bra", ptx_flow, &F::branch},
                                     {"brx", ptx_flow, &F::indexed},
                                     {"ret", ptx_flow, &F::end_of_function},
                                     {"exit", ptx_flow, &F::end_of_thread},
                                     {"call", ptx_flow, &F::call}};
    static_assert(cites_sections(flows));
    return find_ptx_row(flows, name);
  }

  void refuse_operands(const Statement& s) {
    if (!s.instruction.operands.empty())
      reject(m_.file, s.line, "instruction '" + s.instruction.spelled() + "' takes no operands");
  }

  std::string end_of_function(const Statement& s) {
    refuse_operands(s);
    return "return;";
  }

  const std::string& operand(const Statement& s, size_t at) {
    if (at >= s.instruction.operands.size())
      reject(m_.file, s.line, "instruction '" + s.instruction.spelled() + "': too few operands");
    return s.instruction.operands[at];
  }

  std::string target(const Statement& s, const std::string& name) {
    const int label = names_.label(name);
    if (label < 0) reject(m_.file, s.line, "label '" + name + "' is not in the function");
    return arr::text("L", label);
  }

  // Back it is a loop, in which a thread may wait for others; see may_wait() in compile/build.cpp. Where it
  // polls memory the others of its block have to go on.
  std::string branch(const Statement& s) {
    const std::string to = target(s, operand(s, 0));
    const auto label = static_cast<size_t>(std::stoi(to.substr(1)));
    if (label >= labels_.size()) return "goto " + to + ";";
    const auto here = f_.statements.begin() + (&s - f_.statements.data());
    const auto begin = f_.statements.begin() + static_cast<std::ptrdiff_t>(labels_[label]);
    const bool polls =
        std::any_of(begin, here, [](const Statement& inside) { return inside.instruction.polls(); });
    out_.syncs = out_.syncs || polls;
    const bool empty = std::all_of(begin, here, [](const Statement& inside) { return inside.label >= 0; });
    return std::string(empty ? "/* while volatile */ " : "/* while */ ") +
           (polls ? "__nanosleep(0u); " : "") + "goto " + to + ";";
  }

  // The end of a thread; only a kernel's own return is one here.
  std::string end_of_thread(const Statement& s) {
    refuse_operands(s);
    if (f_.kernel) return "return;";
    const bool after_trap = before_ != nullptr && before_->label < 0 && before_->guard.empty() &&
                            (before_->instruction.name == "trap" || before_->instruction.name == "call");
    if (!after_trap) refuse(m_.file, s.line, "instruction 'exit' in a function");
    return "__trap();";
  }

  std::string indexed(const Statement& s) {
    if (!s.instruction.has("idx")) refuse(m_.file, s.line, "instruction '" + s.instruction.spelled() + "'");
    const std::string& index = operand(s, 0);
    const auto* targets = names_.targets(operand(s, 1));
    const std::string r = names_.find(index);
    if (targets == nullptr) reject(m_.file, s.line, "'" + operand(s, 1) + "' is no list of branch targets");
    if (r.empty() || names_.bits(index) != 32)
      reject(m_.file, s.line, "'" + index + "' is no register of 32 bits");
    std::string all = "switch (arr_ptx::as<unsigned>(" + r + ")) {";
    for (size_t i = 0; i < targets->size(); i++)
      all += " case " + std::to_string(i) + ": goto " + target(s, (*targets)[i]) + ";";
    return all + " default: __trap(); }";
  }

  // "(a,b)" as variables for parameters.
  std::vector<std::string> arguments(const Statement& s, const std::string& list,
                                     const std::vector<uint64_t>& sizes, const std::string& callee) {
    std::vector<std::string> out;
    std::string_view rest = list;
    rest.remove_prefix(1);
    rest.remove_suffix(1);
    while (!rest.empty()) {
      const size_t comma = std::min(rest.find(','), rest.size());
      const std::string name(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      const Variable* v = names_.variable(name);
      if (v == nullptr || v->space != PtxSpace::param)
        reject(m_.file, s.line, "'" + name + "' is no variable for a parameter");
      if (out.size() < sizes.size() && v->bytes != sizes[out.size()])
        reject(m_.file, s.line,
               "'" + name + "' has " + std::to_string(v->bytes) + " bytes, " + callee + " takes " +
                   std::to_string(sizes[out.size()]));
      out.push_back(in_code(f_, static_cast<size_t>(v - f_.variables.data())));
    }
    if (out.size() != sizes.size())
      reject(m_.file, s.line,
             callee + " is called with " + std::to_string(out.size()) + " of " +
                 std::to_string(sizes.size()) + " parameters");
    return out;
  }

  // call (result), name, (parameters)
  std::string call(const Statement& s) {
    std::vector<std::string> o = s.instruction.operands;
    std::string results = "()", given = "()";
    if (!o.empty() && o[0][0] == '(') results = o[0], o.erase(o.begin());
    if (o.empty()) reject(m_.file, s.line, "instruction 'call': no function");
    const std::string callee = o[0];
    if (o.size() > 1 && o[1][0] == '(') given = o[1];
    if (const std::string r = names_.find(callee); !r.empty()) return indirect_call(s, o, r, results, given);
    if (o.size() > 2 || (o.size() > 1 && o[1][0] != '('))
      reject(m_.file, s.line, "instruction 'call': more than a function and its parameters");
    const auto found = m_.function_names.find(callee);
    if (found == m_.function_names.end())
      reject(m_.file, s.line, "function '" + callee + "' is not declared");
    const Function& here = m_.functions[found->second];
    const Function& f = here.definition != nullptr ? *here.definition : here;
    if (f.kernel) refuse(m_.file, s.line, "a call of the kernel '" + callee + "'");
    if (!f.defined) return runtime_call(s, callee, results, given);
    const auto sizes = [&](const std::vector<size_t>& list) {
      std::vector<uint64_t> out;
      out.reserve(list.size());
      for (const size_t i : list) out.push_back(f.variables[i].bytes);
      return out;
    };
    std::vector<std::string> all = arguments(s, results, sizes(f.results), "'" + callee + "'");
    for (std::string& a : arguments(s, given, sizes(f.parameters), "'" + callee + "'"))
      all.push_back(std::move(a));
    out_.calls.push_back(f.code);
    std::string code = f.code + "(";
    for (size_t i = 0; i < all.size(); i++) code += (i > 0 ? ", " : "") + all[i];
    return code + ");";
  }

  // call (result), %rd1, (parameters), prototype
  std::string indirect_call(const Statement& s, const std::vector<std::string>& o, const std::string& address,
                            const std::string& results, const std::string& given) {
    const Prototype* p = o.size() > 1 ? names_.prototype(o.back()) : nullptr;
    if (p == nullptr) reject(m_.file, s.line, "a call through a register needs a .callprototype");
    if (names_.bits(o[0]) != 64) reject(m_.file, s.line, "'" + o[0] + "' is no register of 64 bits");
    const std::string function = "the function in '" + o[0] + "'";
    std::vector<std::string> all = arguments(s, results, p->results, function);
    for (std::string& a : arguments(s, given, p->parameters, function)) all.push_back(std::move(a));
    out_.calls.emplace_back(any_function);
    std::string types, values;
    const auto add = [&](const std::string& type, size_t n) {
      types += (n > 0 ? ", " : "") + type;
      values += (n > 0 ? ", " : "") + all[n];
    };
    for (size_t n = 0; n < p->results.size(); n++) add(bytes_type(p->results[n]) + "&", n);
    for (size_t n = p->results.size(); n < all.size(); n++)
      add(bytes_type(p->parameters[n - p->results.size()]), n);
    return arr::text("((void (*)(", types, "))arr_ptx::as<unsigned long long>(", address, "))(", values,
                     ");");
  }

  std::string runtime_call(const Statement& s, const std::string& callee, const std::string& results,
                           const std::string& given) {
    for (const RuntimeFunction& r : runtime_functions()) {
      if (r.name != callee) continue;
      const std::vector<uint64_t> result =
          r.result != 0 ? std::vector<uint64_t>{r.result} : std::vector<uint64_t>{};
      std::vector<std::string> values = arguments(s, results, result, "'" + callee + "'");
      if (values.empty()) values.emplace_back();
      for (const std::string& a : arguments(s, given, r.parameters, "'" + callee + "'")) values.push_back(a);
      out_.heap = out_.heap || callee == "malloc";
      std::string code;
      for (size_t i = 0; i < r.code.size(); i++) {
        if (r.code[i] != '$') {
          code += r.code[i];
          continue;
        }
        const auto n = static_cast<size_t>(r.code[++i] - '0');
        const uint64_t bytes = n == 0 ? r.result : r.parameters[n - 1];
        code += std::string("*(") + (bytes == 8 ? "unsigned long long" : "unsigned") + "*)&" + values[n];
      }
      return code + ";";
    }
    refuse(m_.file, s.line, "function '" + callee + "', which has no body,");
  }

  const Module& m_;
  const Function& f_;
  FunctionNames names_;
  const Statement* before_ = nullptr;
  std::vector<size_t> labels_;  // indices of those above
  std::string body_;
  FunctionText out_;
};

}  // namespace

std::string head_of(const Function& f) {
  std::string all = f.kernel ? "__global__ void " : "static __device__ void ";
  all += f.code + "(";
  for (const size_t i : f.results) all += bytes_type(f.variables[i].bytes) + "& " + in_code(f, i) + ", ";
  for (const size_t i : f.parameters) all += bytes_type(f.variables[i].bytes) + " " + in_code(f, i) + ", ";
  if (!f.results.empty() || !f.parameters.empty()) all.resize(all.size() - 2);
  return all + ")";
}

FunctionText text_of(const Module& module, const Function& f, const SharedLayout& shared) {
  return Text(module, f, shared).run();
}

}  // namespace arr::host_kernels::ptx
