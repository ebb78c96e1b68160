// SPDX-License-Identifier: MIT
// Functions of a module of PTX and their statements.
#include <utility>

#include "hostcuda/ptx/parser.h"

namespace arr::host_kernels::ptx {
namespace {

constexpr int max_depth = 256;
constexpr uint64_t max_registers = uint64_t{1} << 32;

bool is_operand_end(const Token& t) { return t.kind == Token::end || t.is(";"); }

}  // namespace

// Between parentheses: .param .b64 x, .param .align 8 .b8 y[24]
void Parser::parameters(Function& f, std::vector<size_t>& to) {
  if (accept(")")) return;
  do {
    if (peek().is(".reg")) refuse(out_.file, peek().line, "a function with parameters in registers");
    expect(".param");
    Variable v = declarator(kind_of_variable(), PtxSpace::param, false);
    if (!f.scopes[0].variables.emplace(v.name, f.variables.size()).second)
      reject(out_.file, v.line, "'" + v.name + "' is declared twice");
    to.push_back(f.variables.size());
    f.variables.push_back(std::move(v));
  } while (accept(","));
  expect(")");
}

// The directives behind a function's parameters: limits of a launch, which change no result.
void Parser::attributes() {
  while (peek().kind == Token::dot) {
    const Token t = take();
    bool known = false;
    for (const char* s : {".maxntid", ".reqntid", ".minnctapersm", ".maxnctapersm", ".maxnreg", ".noreturn",
                          ".unified", ".abi_preserve", ".abi_preserve_control"})
      known = known || t.is(s);
    if (t.is(".pragma")) {
      at_--;
      pragma();
    } else if (known) {
      skip_numbers();
    } else if (t.is(".explicitcluster") || t.is(".reqnctapercluster") || t.is(".maxclusterrank") ||
               t.is(".blocksareclusters")) {
      refuse(out_.file, t.line, std::string(t.text));
    } else {
      reject(out_.file, t.line, "unexpected '" + std::string(t.text) + "' behind a function's parameters");
    }
  }
}

void Parser::function(bool kernel, bool external) {
  Function f;
  f.kernel = kernel;
  f.visible = visible_ || kernel;
  f.weak = weak_;
  f.line = peek().line;
  f.scopes.emplace_back();
  while (accept(".attribute"))
    while (!accept(")"))
      if (take().kind == Token::end) unexpected("')'");
  if (!kernel && accept("(")) parameters(f, f.results);
  f.name = name("a function's name");
  if (f.name[0] == '%') reject(out_.file, f.line, "'" + f.name + "' is no function's name");
  if (accept("(")) parameters(f, f.parameters);
  attributes();
  if (!accept(";")) {
    if (external) reject(out_.file, f.line, "'" + f.name + "' is extern and has a body");
    expect("{");
    f.defined = true;
    scope_ = depth_ = labels_ = 0;
    body(f);
  }
  const auto known = out_.function_names.find(f.name);
  if (known == out_.function_names.end()) {
    if (out_.variable_names.count(f.name) != 0)
      reject(out_.file, f.line, "'" + f.name + "' is declared twice");
    out_.function_names[f.name] = out_.functions.size();
    out_.functions.push_back(std::move(f));
    return;
  }
  Function& before = out_.functions[known->second];
  if (before.defined && f.defined) reject(out_.file, f.line, "function '" + f.name + "' is defined twice");
  if (f.defined) before = std::move(f);
}

void Parser::body(Function& f) {
  source_ = {};
  for (depth_ = 1; depth_ > 0;) {
    if (peek().kind == Token::end) unexpected("'}'");
    statement(f);
  }
}

// The text of an asm statement, with no function around it.
Function Parser::statements() {
  Function f;
  f.scopes.emplace_back();
  for (depth_ = 1; peek().kind != Token::end;) {
    if (depth_ == 1 && peek().is("}")) unexpected("an instruction");
    statement(f);
  }
  if (depth_ != 1) unexpected("'}'");
  return f;
}

void Parser::close_scope(Function& f) {
  depth_--;
  if (depth_ > 0) scope_ = f.scopes[static_cast<size_t>(scope_)].parent;
}

void Parser::statement(Function& f) {
  const Token& t = peek();
  if (accept(";")) return;
  if (accept("}")) return close_scope(f);
  if (accept("{")) {
    if (++depth_ > max_depth)
      reject(out_.file, t.line, "more than " + std::to_string(max_depth) + " scopes within each other");
    f.scopes.emplace_back();
    f.scopes.back().parent = scope_;
    scope_ = static_cast<int>(f.scopes.size()) - 1;
    return;
  }
  if (t.kind == Token::word && peek(1).is(":")) return label(f);
  if (t.kind == Token::word || t.is("@")) return instruction(f);
  if (t.is(".loc")) return location();
  if (t.is(".file")) return file_directive();
  if (t.is(".pragma")) return pragma();
  if (accept(".reg")) return registers(f);
  for (const auto& [word, space] :
       {std::pair{".local", PtxSpace::local}, std::pair{".shared", PtxSpace::shared},
        std::pair{".param", PtxSpace::param}, std::pair{".global", PtxSpace::global},
        std::pair{".const", PtxSpace::global}})
    if (accept(word)) return local_variables(f, space);
  if (t.is(".extern") && peek(1).is(".shared")) {
    take(), take();
    for (Variable& v : variables(PtxSpace::shared, true)) add_variable(std::move(v));
    return;
  }
  unexpected("an instruction");
}

// .reg .b32 %r<8>, a;
void Parser::registers(Function& f) {
  const unsigned line = peek().line;
  const Kind kind = kind_of_variable();
  if (kind.lanes != 1) refuse(out_.file, line, "a register of several parts");
  do {
    const std::string base = name("a register");
    uint64_t n = 0;
    if (accept("<")) {
      n = whole("a number of registers", max_registers);
      expect(">");
      if (n == 0) reject(out_.file, line, "no register in '" + base + "<0>'");
    }
    if (!f.scopes[static_cast<size_t>(scope_)].registers.emplace(base, Registers{kind.type, n}).second)
      reject(out_.file, line, "register '" + base + "' is declared twice");
  } while (accept(","));
  expect(";");
}

void Parser::local_variables(Function& f, PtxSpace space) {
  for (Variable& v : variables(space, false)) {
    if (!f.scopes[static_cast<size_t>(scope_)].variables.emplace(v.name, f.variables.size()).second)
      reject(out_.file, v.line, "'" + v.name + "' is declared twice");
    f.variables.push_back(std::move(v));
  }
}

// (.param .b32 _, .param .align 8 .b8 _[24])
std::vector<uint64_t> Parser::prototype_list() {
  std::vector<uint64_t> sizes;
  if (accept(")")) return sizes;
  do {
    if (peek().is(".reg")) refuse(out_.file, peek().line, "a function with parameters in registers");
    expect(".param");
    sizes.push_back(declarator(kind_of_variable(), PtxSpace::param, false).bytes);
  } while (accept(","));
  expect(")");
  return sizes;
}

// .callprototype (.param .b32 _) _ (.param .b32 _);
Prototype Parser::prototype() {
  Prototype p;
  if (accept("(")) p.results = prototype_list();
  name("_");
  if (accept("(")) p.parameters = prototype_list();
  attributes();
  expect(";");
  return p;
}

// L: or L: .branchtargets A, B;
void Parser::label(Function& f) {
  const Token t = take();
  expect(":");
  Scope& scope = f.scopes[static_cast<size_t>(scope_)];
  const std::string text(t.text);
  if (accept(".branchtargets")) {
    std::vector<std::string> targets;
    do targets.push_back(name("a label"));
    while (accept(","));
    expect(";");
    scope.targets[text] = std::move(targets);
    return;
  }
  if (accept(".callprototype")) {
    scope.prototypes[text] = prototype();
    return;
  }
  if (peek().is(".calltargets")) refuse(out_.file, t.line, ".calltargets");
  if (!scope.labels.emplace(text, labels_).second)
    reject(out_.file, t.line, "label '" + text + "' stands twice");
  Statement s;
  s.line = t.line;
  s.scope = scope_;
  s.label = labels_++;
  f.statements.push_back(std::move(s));
}

void Parser::instruction(Function& f) {
  Statement s;
  s.scope = scope_;
  s.line = peek().line;
  if (accept("@")) {
    s.negated = accept("!");
    s.guard = name("a predicate");
  }
  s.line = peek().line;
  s.source = source_;
  s.instruction.name = name("an instruction");
  while (peek().kind == Token::dot) s.instruction.modifiers.emplace_back(take().text.substr(1));
  while (!accept(";")) {
    s.instruction.operands.push_back(operand());
    if (!peek().is(";")) expect(",");
  }
  f.statements.push_back(std::move(s));
}

// Up to the comma that is in no brackets: "%r1", "[%rd1+8]", "{%f1,%f2}", "%r1|%p1", "%tid.x".
std::string Parser::operand() {
  std::string out, open;
  for (bool name_before = false;;) {
    const Token& t = peek();
    if (t.is(",") && open.empty()) break;
    if (is_operand_end(t)) break;
    const char c = t.text[0];
    const bool is_name = t.kind == Token::word || t.kind == Token::number;
    if (t.kind == Token::quoted || t.is("@") || t.is(":") || t.is("=") || t.is("*") ||
        (is_name && name_before) || (t.kind == Token::dot && !name_before))
      unexpected("an operand");
    if (c == '(' || c == '[' || c == '{') {
      if (open.size() == 2) unexpected("an operand");
      open += c == '(' ? ')' : c == '[' ? ']' : '}';
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || open.back() != c) unexpected("an operand");
      open.pop_back();
    }
    name_before = is_name;
    out += take().text;
  }
  if (out.empty() || !open.empty())
    unexpected(open.empty() ? "an operand" : std::string("'") + open.back() + "'");
  return out;
}

Function parse_statements(std::string_view text, std::string_view file) {
  return Parser(text, file).statements();
}

}  // namespace arr::host_kernels::ptx
