// SPDX-License-Identifier: MIT
#include "host/kernels/source/ptx.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/error.h"

namespace arr::host_kernels {
namespace {

std::string trimmed(std::string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front())) != 0) s.remove_prefix(1);
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back())) != 0) s.remove_suffix(1);
  return std::string(s);
}

// The parts between commas that no bracket holds.
std::vector<std::string> split(std::string_view s) {
  std::vector<std::string> parts;
  int depth = 0;
  size_t from = 0;
  for (size_t i = 0; i <= s.size(); i++) {
    const char c = i < s.size() ? s[i] : ',';
    depth += (c == '{' || c == '[' || c == '(') ? 1 : 0;
    depth -= (c == '}' || c == ']' || c == ')') ? 1 : 0;
    if (c != ',' || (depth != 0 && i < s.size())) continue;
    if (std::string part = trimmed(s.substr(from, i - from)); !part.empty()) parts.push_back(std::move(part));
    from = i + 1;
  }
  return parts;
}

std::string without_comments(std::string_view s) {
  std::string out;
  for (size_t i = 0; i < s.size(); i++) {
    if (s.compare(i, 2, "//") == 0) {
      i = std::min(s.find('\n', i), s.size() - 1);
      out += ' ';
    } else if (s.compare(i, 2, "/*") == 0) {
      const size_t end = s.find("*/", i + 2);
      i = end == std::string_view::npos ? s.size() - 1 : end + 1;
    } else {
      out += s[i];
    }
  }
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

class Statement {
 public:
  explicit Statement(const PtxStatement& given) : given_(given) {}

  PtxTranslation run() {
    if (operands() && body(without_comments(given_.text)))
      out_.code =
          "do { [[maybe_unused]] unsigned arr_carry = 0, arr_lost = 0; " + code_ + last_ + "} while (false)";
    out_.syncs = registers_.syncs;
    out_.half = registers_.half;
    out_.matrices = registers_.matrices;
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
      const std::string type = type_of_constraint(o.constraint), name = text("arr_", number);
      if (type.empty()) return refuse("operand " + o.constraint);
      code_ += type + " " + name;
      code_ += o.constraint[0] == '+' ? " = arr_ptx::as<" + type + ">(" + o.expression + "); " : "{}; ";
      last_ += "arr_ptx::put(" + o.expression + ", " + name + "); ";
      registers_.add(text("%", number++), name);
    }
    for (const PtxOperand& o : given_.inputs) {
      std::string name = text("arr_", number);
      if (!o.constraint.empty() && std::isdigit(static_cast<unsigned char>(o.constraint[0])) != 0) {
        name = "arr_" + o.constraint;  // the same register as an output
        code_ += "arr_ptx::set(" + name + ", " + o.expression + "); ";
      } else {
        const std::string type = type_of_constraint(o.constraint);
        if (type.empty()) return refuse("operand " + o.constraint);
        code_ +=
            "[[maybe_unused]] " + type + " " + name + " = arr_ptx::as<" + type + ">(" + o.expression + "); ";
      }
      registers_.add(text("%", number++), name);
    }
    return true;
  }

  // Instructions end with a semicolon; braces that hold some are scopes, others vectors.
  bool body(const std::string& all) {
    size_t from = 0;
    for (size_t i = 0; i <= all.size(); i++) {
      if (i == all.size() || all[i] == ';') {
        if (!instruction(trimmed(std::string_view(all).substr(from, i - from)))) return false;
        from = i + 1;
      } else if ((all[i] == '{' || all[i] == '}') &&
                 trimmed(std::string_view(all).substr(from, i - from)).empty()) {
        from = i + 1;  // names of scopes are told apart no further
      }
    }
    return true;
  }

  bool declaration(const std::string& line) {  // .reg .u32 a, b<3>
    const size_t dot = line.find('.', 1);
    if (line.compare(0, 4, ".reg") != 0 || dot == std::string::npos) return refuse(line);
    size_t end = dot + 1;
    while (end < line.size() && std::isalnum(static_cast<unsigned char>(line[end])) != 0) end++;
    const std::string type = ptx_type(std::string_view(line).substr(dot + 1, end - dot - 1));
    if (type.empty()) return refuse(line);
    for (const std::string& name : split(std::string_view(line).substr(end))) {
      const size_t open = name.find('<');
      int count = 0;
      if (open != std::string::npos)
        std::from_chars(name.data() + open + 1, name.data() + name.size(), count);
      if (count > 256) return refuse(line);
      for (int k = 0; k < std::max(count, 1); k++) {
        const std::string ptx = open == std::string::npos ? name : name.substr(0, open) + std::to_string(k);
        const std::string variable = text("arr_register_", declared_++);
        code_ += "[[maybe_unused]] " + type + " " + variable + "{}; ";
        registers_.add(ptx, variable);
      }
    }
    return true;
  }

  bool instruction(const std::string& text) {
    if (text.empty()) return true;
    if (text[0] == '.') return declaration(text);
    std::string rest = text, guard;
    if (text[0] == '@') {
      const size_t end = text.find_first_of(" \t\n");
      const bool negative = text.compare(0, 2, "@!") == 0;
      const std::string variable = registers_.find(text.substr(negative ? 2 : 1, end - (negative ? 2 : 1)));
      if (end == std::string::npos || variable.empty()) return refuse(text);
      guard = std::string("if (") + (negative ? "!" : "") + variable + ") ";
      rest = trimmed(std::string_view(text).substr(end));
    }
    const size_t end = std::min(rest.find_first_of(" \t\n"), rest.size());
    const std::string opcode = rest.substr(0, end);
    PtxInstruction i;
    size_t from = 0;
    for (size_t k = 0; k <= opcode.size(); k++) {
      if (k < opcode.size() && opcode[k] != '.') continue;
      const std::string part = opcode.substr(from, k - from);
      if (from == 0)
        i.name = part;
      else
        i.modifiers.push_back(part);
      from = k + 1;
    }
    i.operands = split(std::string_view(rest).substr(end));
    const std::string code = ptx_instruction(i, registers_);
    if (code.empty()) return refuse(opcode);
    code_ += guard + "{ " + code + " } ";
    return true;
  }

  const PtxStatement& given_;
  PtxNames registers_;
  std::string code_, last_;
  int declared_ = 0;
  PtxTranslation out_;
};

}  // namespace

PtxTranslation translate_ptx(const PtxStatement& statement) { return Statement(statement).run(); }

}  // namespace arr::host_kernels
